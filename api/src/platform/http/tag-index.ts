import type { CacheTag } from '@parts-forge/contract/call';
import type { ChangeTag } from '#src/platform/database/change-feed.ts';

/** Which keys depend on a tag, so that a change looks at no others. */
export function createTagIndex() {
  const keysByTag = new Map<ChangeTag, Set<string>>();
  return {
    add(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag) ?? new Set();
        keysByTag.set(tag, keys.add(key));
      }
    },
    remove(key: string, tags: ReadonlySet<CacheTag>): void {
      for (const tag of tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
    /** The keys as they are now: removing some of them meanwhile disturbs nothing. */
    findKeys(tags: ReadonlySet<ChangeTag> | 'all'): ReadonlySet<string> {
      const changed = tags === 'all' ? [...keysByTag.keys()] : [...tags];
      return new Set(changed.flatMap((tag) => [...(keysByTag.get(tag) ?? [])]));
    },
  };
}

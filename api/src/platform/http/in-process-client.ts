import type { FastifyInstance } from 'fastify';
import type { Topic } from '#src/platform/database/change-feed.ts';

/** The address that calls of our own pages come from, by which the rate limits know them. */
export const INSIDE = 'inside this process';

/** What of the shop each public call shows. */
const shown: readonly [prefix: string, topic: Topic][] = [
  ['/product', 'products'],
  ['/review', 'reviews'],
];

/**
 * The calls as one page's loaders use them, without leaving the process; the contract stays the only way in.
 * Remembers what was asked for, so that the page can be dropped when that changes.
 */
export function callsInside(app: FastifyInstance) {
  const topics = new Set<Topic>();
  let failed = false;
  return {
    topics: topics as ReadonlySet<Topic>,
    /** Whether a call could not be answered: such a page is nothing to keep. */
    get failed() {
      return failed;
    },
    async call(path: string): Promise<Response> {
      for (const [prefix, topic] of shown) if (path.startsWith(prefix)) topics.add(topic);
      const answer = await app.inject({ method: 'GET', url: path, remoteAddress: INSIDE });
      if (answer.statusCode >= 500 || answer.statusCode === 429) failed = true;
      const headers = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
      const hasBody = ![204, 304].includes(answer.statusCode);
      return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, {
        status: answer.statusCode,
        headers,
      });
    },
  };
}

import type { ProductChanges } from '@parts-forge/contract/products/product-changes';
import { invalidField } from '#src/platform/core/problem.ts';

/** The stored addresses; without pictures of another host. */
export type AcceptImages = (addresses: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const elsewhere = "Must be a picture of the shop's image host";

/**
 * Replaces picture addresses by those that products store.
 * @param known of the part, which it keeps
 * @throws Problem `invalid` for the first picture of another host
 */
export async function acceptImages<Part extends Pick<ProductChanges, 'image' | 'images'>>(
  part: Part,
  accept: AcceptImages,
  known: readonly string[] = [],
): Promise<Part> {
  const { image, images } = part;
  const asked = [...(image === undefined ? [] : [image]), ...(images ?? [])];
  const unknown = asked.filter((address) => !known.includes(address));
  const accepted = unknown.length > 0 ? await accept(unknown) : new Map<string, string>();
  const acceptOne = (address: string, path: string) => {
    const stored = known.includes(address) ? address : accepted.get(address);
    if (stored === undefined) throw invalidField(path, elsewhere);
    return stored;
  };
  return {
    ...part,
    ...(image !== undefined && { image: acceptOne(image, 'image') }),
    ...(images && { images: images.map((address, index) => acceptOne(address, `images.${index}`)) }),
  };
}

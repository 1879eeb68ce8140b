import type { ProductChanges } from '@parts-forge/contract/product-changes';
import { invalidField } from '#src/platform/core/problem.ts';

const elsewhere = "Must be a picture of the shop's image host";

/**
 * Replaces picture addresses by those that products store.
 * @param accept the stored address; null for a picture of another host
 * @throws Problem `invalid` for the first picture of another host
 */
export async function acceptImages<Part extends Pick<ProductChanges, 'image' | 'images'>>(
  part: Part,
  accept: (address: string) => Promise<string | null>,
): Promise<Part> {
  const { image, images } = part;
  const acceptOne = async (address: string, path: string) => {
    const accepted = await accept(address);
    if (accepted === null) throw invalidField(path, elsewhere);
    return accepted;
  };
  return {
    ...part,
    ...(image !== undefined && { image: await acceptOne(image, 'image') }),
    ...(images && {
      images: await Promise.all(images.map((address, index) => acceptOne(address, `images.${index}`))),
    }),
  };
}

import type { ProductChanges } from '@parts-forge/contract/product-changes';
import { invalidField } from '#src/platform/core/problem.ts';

const elsewhere = "Must be a picture of the shop's image host";

/**
 * The changes with their pictures as products store them.
 * @param accept a picture's address as the image host gave it out; null for one that it did not
 * @throws Problem `invalid` that names the first picture which is not the image host's
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

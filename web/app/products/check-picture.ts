import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { PageConfig } from '@parts-forge/contract/people/identity';

/** A chosen picture. Its owner closes `bitmap` to free the memory. */
export interface ChosenPicture {
  file: File;
  bitmap: ImageBitmap;
}

/** Checks a file before upload. @returns the picture, or the refusal's sentence */
export async function checkPicture(
  file: File,
  { maxBytes, types }: PageConfig['images'],
): Promise<ChosenPicture | string> {
  // A name without an extension has no type; the browser and the shop check the content.
  if (file.type !== '' && !types.includes(file.type))
    return `This is not a picture that can be used. It must be ${listTypes(types)}.`;
  if (file.size > maxBytes) {
    return `This picture is too large: ${formatBytes(file.size)}, and at most ${formatBytes(maxBytes)} can be used.`;
  }
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return 'This file cannot be shown as a picture. Choose another one.';
  const { width, height } = bitmap;
  if (Math.max(width, height) <= MAX_IMAGE_SIDE && width * height <= MAX_IMAGE_PIXELS)
    return { file, bitmap };
  bitmap.close();
  return `This picture has too many pixels: ${width} × ${height}. At most ${formatPieces(MAX_IMAGE_SIDE)} on a side and ${MAX_IMAGE_PIXELS / 1_000_000} million in all can be used.`;
}

export const describePictureRules = ({ maxBytes, types }: PageConfig['images']): string =>
  `${listTypes(types)}, at most ${formatBytes(maxBytes)}`;

/** `412 kB`, `9.5 MB`; 1 kB is 1024 bytes, as in file managers. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return `${Math.max(1, Math.round(kilobytes))} kB`;
  return `${Number((kilobytes / 1024).toFixed(1))} MB`;
}

function listTypes(types: readonly string[]): string {
  const names = types.map((type) => {
    const name = type.replace('image/', '');
    return name === 'webp' ? 'WebP' : name.toUpperCase();
  });
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

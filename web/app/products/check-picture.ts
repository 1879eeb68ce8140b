import type { PageConfig } from '@parts-forge/contract/identity';

/** A picture that was chosen and can be shown. Whoever has it closes `bitmap`, which frees its memory. */
export interface ChosenPicture {
  file: File;
  bitmap: ImageBitmap;
}

/**
 * Checks a file before anything is sent: its kind, its size, and whether the browser can show it.
 * @returns the picture, or the sentence that says why it is not taken
 */
export async function checkPicture(
  file: File,
  { maxBytes, types }: PageConfig['images'],
): Promise<ChosenPicture | string> {
  if (!types.includes(file.type))
    return `This is not a picture that can be used. It must be ${listTypes(types)}.`;
  if (file.size > maxBytes) {
    return `This picture is too large: ${formatBytes(file.size)}, and at most ${formatBytes(maxBytes)} can be used.`;
  }
  try {
    return { file, bitmap: await createImageBitmap(file) };
  } catch {
    return 'This file cannot be shown as a picture. Choose another one.';
  }
}

/** `PNG, JPEG or WebP, at most 10 MB`, for the field's own words. */
export const describePictureRules = ({ maxBytes, types }: PageConfig['images']): string =>
  `${listTypes(types)}, at most ${formatBytes(maxBytes)}`;

/** `412 kB`, `9.5 MB`: 1024 bytes a kilobyte, as file managers show it. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1000) return `${Math.max(1, Math.round(kilobytes))} kB`;
  return `${Number((kilobytes / 1024).toFixed(1))} MB`;
}

/** `JPEG, PNG or WebP`, of media types. */
function listTypes(types: readonly string[]): string {
  const names = types.map((type) => {
    const name = type.replace('image/', '');
    return name === 'webp' ? 'WebP' : name.toUpperCase();
  });
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

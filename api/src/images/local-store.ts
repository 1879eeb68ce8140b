import { IMAGE_WIDTHS } from '@parts-forge/contract/calls/bounds';
import { buildImageAddress, readImageHash } from '@parts-forge/contract/products/image-variant';
import { findMissingEndings, writePictures } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';

export const createLocalStore = (folder: string): PictureStore => ({
  widths: IMAGE_WIDTHS,
  origins: [],
  async holds(address) {
    const hash = readImageHash(address);
    return hash !== null && (await findMissingEndings(folder, hash)).length === 0;
  },
  async put({ hash, files }) {
    await writePictures(folder, hash, await findMissingEndings(folder, hash), files);
    return buildImageAddress(hash);
  },
});

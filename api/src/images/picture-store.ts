import type { EncodedPicture } from './encode-picture.ts';

export interface MadePicture extends EncodedPicture {
  /** SHA-256 of the original. */
  hash: string;
}

export interface PictureStore {
  /** None when each picture has one file. */
  readonly widths: readonly number[];
  readonly origins: readonly string[];
  /**
   * Whether it issued the address and has all its files.
   * @throws Problem `unavailable` when it cannot tell
   */
  holds(address: string): Promise<boolean>;
  /**
   * Repeatable, also after an interruption.
   * @returns the address as products store it
   * @throws Problem `unavailable`; the signal's reason
   */
  put(picture: MadePicture, signal: AbortSignal): Promise<string>;
}

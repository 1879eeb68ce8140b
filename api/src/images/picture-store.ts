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
  readonly direct?: DirectUploads;
}

/** Originals under unguessable names: a bucket that opens more than `images/` shows them. */
export interface DirectUploads {
  readonly origin: string;
  /** The address takes PUTs of exactly `bytes` bytes for `expiresIn` seconds. */
  open(name: string, bytes: number, expiresIn: number): Promise<string>;
  /** @throws Problem `invalid` when it is missing, `too-large`, `unavailable` */
  take(name: string, signal: AbortSignal): Promise<Buffer>;
  remove(name: string): Promise<void>;
}

import type { EncodedPicture } from './encode-picture.ts';

/** A picture that was made, by the hash of its original. */
export interface MadePicture extends EncodedPicture {
  /** SHA-256 of the original, in hexadecimal. */
  hash: string;
}

/** Where the files of pictures are: this server's folder, S3-compatible storage, or a hosted image service. */
export interface PictureStore {
  /** In which its pictures can be had, in pixels; none where each has but one file. */
  readonly widths: readonly number[];
  /** Origins other than the shop's at which browsers find its pictures. */
  readonly origins: readonly string[];
  /**
   * Whether an address that was given out is this store's, and its files are all there.
   * @throws Problem `unavailable` when that cannot be found out now
   */
  holds(address: string): Promise<boolean>;
  /**
   * Puts a picture in its place. Harmless when it is there already, and again after it broke off.
   * @returns its address, as products have it
   * @throws Problem `unavailable` when the store cannot be reached or refuses; the signal's reason
   */
  put(picture: MadePicture, signal: AbortSignal): Promise<string>;
  /** Browsers may send originals to it without the way through the shop. */
  readonly direct?: DirectUploads;
}

/**
 * Originals on their way, under names that nobody can guess. Whoever knows one can read it where the bucket's policy lets
 * everybody read more than `images/`.
 */
export interface DirectUploads {
  /** To where browsers send. */
  readonly origin: string;
  /**
   * @returns the address that takes exactly so many bytes of the type `DIRECT_UPLOAD_TYPE` by PUT, for `expiresIn` seconds,
   * again and again
   */
  open(name: string, bytes: number, expiresIn: number): Promise<string>;
  /**
   * What was sent.
   * @throws Problem `invalid` when nothing was, `too-large`, `unavailable`
   */
  take(name: string, signal: AbortSignal): Promise<Buffer>;
  /** Harmless when there is nothing. */
  remove(name: string): Promise<void>;
}

import type { EncodedPicture } from './encode-picture.ts';

/** A picture with all its files. */
export interface MadePicture extends EncodedPicture {
  /** SHA-256 of the original in hexadecimal. */
  hash: string;
}

/** A store of picture files: this server's folder, S3-compatible storage, or a hosted image service. */
export interface PictureStore {
  /** Available widths in pixels; none when each picture has one file. */
  readonly widths: readonly number[];
  /** Origins other than the shop's that serve its pictures. */
  readonly origins: readonly string[];
  /**
   * Whether an issued address belongs to this store and all its files exist.
   * @throws Problem `unavailable` when the store cannot tell now
   */
  holds(address: string): Promise<boolean>;
  /**
   * Stores a picture. Repeatable, also after an interruption.
   * @returns its address, as products store it
   * @throws Problem `unavailable` when the store is unreachable or refuses; the signal's reason
   */
  put(picture: MadePicture, signal: AbortSignal): Promise<string>;
  /** Set when browsers can send originals past the shop. */
  readonly direct?: DirectUploads;
}

/**
 * Uploaded originals under unguessable names. Anyone with the name can read one if the bucket's policy opens
 * more than `images/`.
 */
export interface DirectUploads {
  /** Target of the browsers' uploads. */
  readonly origin: string;
  /**
   * @returns an address that accepts exactly `bytes` bytes of `DIRECT_UPLOAD_TYPE` by PUT, repeatedly for
   * `expiresIn` seconds
   */
  open(name: string, bytes: number, expiresIn: number): Promise<string>;
  /**
   * Downloads the original.
   * @throws Problem `invalid` when it is missing, `too-large`, `unavailable`
   */
  take(name: string, signal: AbortSignal): Promise<Buffer>;
  /** Harmless when it is missing. */
  remove(name: string): Promise<void>;
}

import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Administrator } from '#src/platform/http/calls/access.ts';

/** Where the page posts a picture; `expiresIn` in seconds. */
export interface UploadTarget {
  url: string;
  key: string;
  expiresIn: number;
  /** Where the page may send the file itself by PUT instead, and then tell the shop. */
  direct?: { url: string };
}

/** Where pictures live, in our words: this server's folder, or a hosted service. */
export interface ImageHost {
  readonly pageConfig: PageConfig['images'];
  /**
   * Origins other than the shop's own where its pictures are, and to which pages send them, for the content policy. They
   * change with the tag `config`.
   */
  listOrigins(): Promise<{ show: readonly string[]; send: readonly string[] }>;
  /** @param bytes how large the file is that will be sent, where the page says so */
  openUpload(administrator: Administrator, bytes?: number): Promise<UploadTarget>;
  /**
   * Takes what was sent past the shop. @returns its address
   * @throws Problem `invalid` when nothing can have been sent with this key, and as for a picture that comes in a form
   */
  takeUpload(administrator: Administrator, key: string): Promise<string>;
  /** The address as products store it; null when it is not one that this shop gave out. */
  accept(address: string): Promise<string | null>;
  /** Removes what was sent and never used. Run daily; may be repeated. */
  purgeUploads(): Promise<number>;
  /** The calls that take pictures in, and the pictures of this server (`/images/…`). */
  routes(app: FastifyInstance): Promise<void>;
}

import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Administrator } from '#src/platform/http/calls/access.ts';

/** The page's upload target; `expiresIn` in seconds. */
export interface UploadTarget {
  url: string;
  key: string;
  expiresIn: number;
  /** Alternative: the page sends the file here by PUT and then notifies the shop. */
  direct?: { url: string };
}

/** The pictures' home: this server's folder or a hosted service. */
export interface ImageHost {
  readonly pageConfig: PageConfig['images'];
  /**
   * Other origins that show pictures and that receive uploads, for the content security policy. They change
   * with the tag `config`.
   */
  listOrigins(): Promise<{ show: readonly string[]; send: readonly string[] }>;
  /** @param bytes announced size of the file, if known */
  openUpload(administrator: Administrator, bytes?: number): Promise<UploadTarget>;
  /**
   * Processes a direct upload. @returns its address
   * @throws Problem `invalid` when this key allows no upload, and the errors of a form upload
   */
  takeUpload(administrator: Administrator, key: string): Promise<string>;
  /** @returns the address as products store it; null when this shop did not issue it */
  accept(address: string): Promise<string | null>;
  /** Deletes unused uploads. Runs daily; repeatable. */
  purgeUploads(): Promise<number>;
  /** The upload calls and this server's pictures (`/images/…`). */
  routes(app: FastifyInstance): Promise<void>;
}

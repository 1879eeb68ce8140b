import type { PageConfig } from '@parts-forge/contract/identity';
import type { FastifyInstance } from 'fastify';
import type { Administrator } from '#src/platform/http/access.ts';

/** Where the page posts a picture; `expiresIn` in seconds. */
export interface UploadTarget {
  url: string;
  key: string;
  expiresIn: number;
}

/** Where pictures live, in our words: this server's folder, or a hosted service. */
export interface ImageHost {
  readonly pageConfig: PageConfig['images'];
  openUpload(administrator: Administrator): Promise<UploadTarget>;
  /** The address as products store it; null when it is not one that this host gave out. */
  accept(address: string): Promise<string | null>;
  /** The host's own routes where it runs inside the shop (`/images/…`). */
  routes?(app: FastifyInstance): Promise<void>;
}

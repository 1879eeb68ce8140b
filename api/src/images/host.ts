import type { Parsed } from '@parts-forge/contract/calls/call';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { openUpload } from '@parts-forge/contract/products/images';
import type { FastifyInstance } from 'fastify';
import type { Administrator } from '#src/platform/http/calls/access.ts';

export interface ImageHost {
  readonly pageConfig: PageConfig['images'];
  /** For the content security policy. They change with the tag `config`. */
  listOrigins(): Promise<readonly string[]>;
  openUpload(administrator: Administrator): Promise<Parsed<typeof openUpload.answer>>;
  /** The addresses as products store them, also by names of sent files; without foreign ones. */
  accept(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  routes(app: FastifyInstance): Promise<void>;
}

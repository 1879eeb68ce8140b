import type { Parsed } from '@parts-forge/contract/call';
import type { PageConfig } from '@parts-forge/contract/identity';
import type { openUpload } from '@parts-forge/contract/images';
import type { FastifyInstance } from 'fastify';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { TakePlace } from '#src/platform/http/limits/upload-places.ts';

export interface ImageHost {
  readonly pageConfig: PageConfig['images'];
  /** For the content security policy. They change with the tag `config`. */
  listOrigins(): Promise<{ show: readonly string[]; send: readonly string[] }>;
  openUpload(administrator: Administrator, bytes?: number): Promise<Parsed<typeof openUpload.answer>>;
  /** Returns the address. @throws Problem `invalid` for a key without uploads; the errors of a form upload */
  takeUpload(administrator: Administrator, key: string, takePlace: TakePlace): Promise<string>;
  /** The addresses as products store them; without foreign ones. */
  accept(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Repeatable. */
  purgeUploads(): Promise<number>;
  routes(app: FastifyInstance): Promise<void>;
}

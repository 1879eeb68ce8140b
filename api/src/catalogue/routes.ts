import { policies } from '@parts-forge/contract/calls/policies';
import { readParcelFile } from '@parts-forge/contract/orders/order-bulk';
import {
  applyImport,
  importProducts,
  listImports,
  readImport,
} from '@parts-forge/contract/products/catalogue';
import type { FastifyInstance } from 'fastify';
import { readFile } from '#src/files/read-file.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, actAs, requireScopeOf } from '#src/platform/http/calls/access.ts';
import { serveCall, serveFile } from '#src/platform/http/calls/serve-call.ts';
import type { Worker } from '#src/platform/jobs/worker.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { AcceptImages } from '#src/products/accept-images.ts';
import { previewImport } from './preview-import.ts';
import { findImport, findKinds, findLatestImports, markApplied, maySee } from './store.ts';

export async function registerCatalogue(
  app: FastifyInstance,
  platform: Platform,
  accept: AcceptImages,
  importer: Worker<unknown>,
): Promise<void> {
  const { database, changes, clock } = platform;
  const read = async (actor: Actor, id: string, from = '0', only?: string) => {
    const data = await findImport(database.db, id, Number(from), only);
    if (!data || !maySee(actor, data)) throw new Problem('not-found');
    if (only !== undefined && !data.kinds.some(({ name }) => name === only))
      throw invalidField('only', 'Must be a name of kinds');
    return { data };
  };

  await serveFile(app, readParcelFile, async (_, file) => ({ data: await readFile(file, 'parcels') }));

  await serveFile(app, importProducts, async ({ actor, query: { name = 'file', undoes = null } }, file) => {
    if (undoes !== null) await read(actor, undoes);
    return { data: await previewImport({ ...platform, accept }, actor, { name, undoes, ...file }) };
  });

  serveCall(app, readImport, ({ actor, params: { id }, query: { from, only } }) =>
    read(actor, id, from, only),
  );

  serveCall(app, listImports, async ({ actor }) => {
    const latest = await findLatestImports(database.db);
    return { data: latest.filter((each) => maySee(actor, each)) };
  });

  app.addHook('onClose', () => importer.close());
  serveCall(app, applyImport, async ({ actor, params: { id } }) => {
    const kinds = await findKinds(database.db, id);
    if (kinds.stock) requireScopeOf(policies.changeStock, actor);
    // `DELETE /product/{id}` and `PUT /agreed-price` refuse keys, too.
    if (kinds.forPeople && actor.key !== null) throw new Problem('not-for-keys');
    await actAs(changes, actor, (tx) => markApplied(tx, id, actor, clock.now()));
    // The job takes over what a process leaves.
    importer.wake();
    return read(actor, id);
  });
}

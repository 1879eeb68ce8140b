import { randomBytes } from 'node:crypto';
import { DOWNLOAD_SECONDS } from '@parts-forge/contract/calls/bounds';
import { buildDownloadAddress, type CheckedDownloadRequest } from '@parts-forge/contract/files/downloads';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { type Actor, actAs, requireScopeOf } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrderPapers, issueMissingPapers } from './find-order-papers.ts';
import { findPapers, requireEInvoice } from './open-file.ts';
import { policyOfRows, requireReadable } from './require-readable.ts';
import { insertDownload } from './store.ts';

/**
 * Creates a link for one download within a minute. It needs no sign-in, but its creator must still have the
 * same role. The token is neither stored nor logged.
 * @throws Problem `not-for-keys`, `scope-missing`, `admin-needed`, `second-factor-required`, `not-yours`, `not-found`, `no-invoice`,
 *   `no-credit-note`
 */
export async function createDownload(
  services: Platform,
  actor: Actor,
  request: CheckedDownloadRequest,
): Promise<string> {
  const { database, changes, clock } = services;
  requireScopeOf(policyOfRows[request.what], actor);
  await requireReadable(database.db, actor, request);
  // The page can still show a refusal.
  if (request.what === 'invoice' || request.what === 'credit-note') {
    const papers = await findOrderPapers(services, request.order, request.what);
    if (request.what === 'invoice' && request.as === 'xml') requireEInvoice(papers);
  } else if (request.what === 'invoices' && request.orders) {
    await issueMissingPapers(services, request.orders);
  } else if (request.what === 'invoices') {
    const { done } = await findPapers(database.db, actor, request).next();
    if (done) throw new Problem('no-invoice', { detail: `There are no papers of ${request.month}` });
  }
  const token = randomBytes(32).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + DOWNLOAD_SECONDS * 1000);
  const { userId, role, lacksSecondFactor } = actor;
  const keyId = actor.key?.id ?? null;
  const download = { userId, role, lacksSecondFactor, keyId, request, createdAt, expiresAt };
  const row = { ...download, tokenHash: hashToken(token) };
  await actAs(changes, actor, (tx) => insertDownload(tx, row));
  return buildDownloadAddress(token);
}

import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { VerifiedIdentity } from './provider.ts';
import { revokedIdentities } from './schema.ts';

/** No session or token from before `now` brings a removed person back. */
export async function revokeIdentity(
  tx: Executor,
  { issuer, subject }: Pick<VerifiedIdentity, 'issuer' | 'subject'>,
  now: Date,
): Promise<void> {
  await tx
    .insert(revokedIdentities)
    .values({ issuer, subject, notBefore: now })
    .onConflictDoUpdate({
      target: [revokedIdentities.issuer, revokedIdentities.subject],
      set: { notBefore: sql`greatest(${revokedIdentities.notBefore}, excluded.not_before)` },
    });
}

export async function isRevoked(tx: Executor, identity: VerifiedIdentity): Promise<boolean> {
  const [row] = await tx
    .select({ notBefore: revokedIdentities.notBefore })
    .from(revokedIdentities)
    .where(
      and(eq(revokedIdentities.issuer, identity.issuer), eq(revokedIdentities.subject, identity.subject)),
    );
  return row !== undefined && identity.authTime * 1000 < row.notBefore.getTime();
}

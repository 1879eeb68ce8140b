import { randomUUID } from 'node:crypto';
import type { Call } from '@parts-forge/contract/calls/call';
import { calls } from '@parts-forge/contract/calls/calls';
import { type Policy, type Role, refuseByOwner, refuseByRole } from '@parts-forge/contract/calls/policies';
import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Attempts, buildAttempts, type CallName, startShopForAttempts } from '#test/attempts.ts';
import { signedInAs } from '#test/builders.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';

let shop: TestShop;
let attempts: Attempts;
beforeAll(async () => {
  shop = await startShopForAttempts();
  attempts = buildAttempts(shop);
});
afterAll(() => shop.close());

/** The refusals of calls whose proof is no access token, when that proof is missing. */
const withoutProof: { [who in Policy['who']]?: ProblemCode } = {
  identity: 'identity-token-required',
  'upload-key': 'sign-in-needed',
  'payment-provider': 'bad-signature',
};

/** Refusals about the caller; with any other response, the policy admitted the call. */
const refusals: readonly string[] = [
  'sign-in-needed',
  'identity-token-required',
  'bad-signature',
  'admin-needed',
  'customers-only',
  'not-yours',
  'not-found',
];

/** Roles and, for owned things, whether the caller owns them. */
const callers: { caller: string; role: Role | null; isOwner: boolean }[] = [
  { caller: 'a visitor', role: null, isOwner: false },
  { caller: 'the owner', role: 'user', isOwner: true },
  { caller: 'another customer', role: 'user', isOwner: false },
  { caller: 'an administrator', role: 'admin', isOwner: false },
];

const cases = Object.entries(calls).flatMap(([name, call]) =>
  callers.map((caller) => ({ name: name as CallName, call: call as Call, ...caller })),
);

/** The refusal that the policy table expects for a caller, or null. */
function expectedRefusal(policy: Policy, role: Role | null, isOwner: boolean): ProblemCode | null {
  const proof = withoutProof[policy.who];
  if (proof) return proof;
  const byRole = refuseByRole(policy, role);
  return byRole ?? (role === null ? null : refuseByOwner(policy, role, isOwner));
}

describe('policy', () => {
  test.each(cases)('$name admits $caller only if its policy does', async ({ name, call, role, isOwner }) => {
    const owner = await signedInAs(shop, 'user');
    const { path, ...request } = await attempts[name](owner);
    const caller = role === null ? null : isOwner ? owner : await signedInAs(shop, role);
    const isProven = call.policy.who in withoutProof;
    const answer = await shop.request(path, {
      method: call.method,
      token: isProven ? null : (caller?.token ?? null),
      ...request,
    });
    // Many acts in one request are refused line by line.
    const code = answer.body?.data?.[0]?.error?.code ?? readCode(answer);
    const refusal = refusals.includes(code) ? code : null;
    expect(refusal).toBe(expectedRefusal(call.policy, role, isOwner));
  });
});

describe('ended or unknown access token', () => {
  const guarded = cases.filter(
    ({ call, caller }) => caller === 'the owner' && refuseByRole(call.policy, null) !== null,
  );
  test.each(guarded)('$name refuses ended and unknown access tokens', async ({ name, call }) => {
    const owner = await signedInAs(shop, 'user');
    const { path, ...request } = await attempts[name](owner);
    await owner.post('/logout');
    for (const token of [owner.token, 'x'.repeat(43), randomUUID()]) {
      expectRefusal(
        await shop.request(path, { method: call.method, token, ...request }),
        401,
        'sign-in-needed',
      );
    }
  });
});

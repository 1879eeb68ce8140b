import { placeOrder } from '@parts-forge/contract/orders/orders';
import { exchangeIdentity } from '@parts-forge/contract/people/identity';
import { describe, expect, test, vi } from 'vitest';
import type { IdentityClient } from '#app/session/identity-client.ts';
import { SessionStore } from '#app/session/session-store.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { callShop } from './api-client.ts';
import { retryWithFreshProof } from './retry-with-fresh-proof.ts';

const shop = startFakeShop();
const amara = { id: 'amara', email: 'amara@repair.example', displayName: 'Amara Okafor' };
const order = {
  email: amara.email,
  productId: '0199a0b0-0000-7000-8000-000000000001',
  quantity: 60,
  address: '12 Oxford Street',
  phone: '+44 20 7946 0000',
  totalPrice: 600,
};

const sendOrder = (session: SessionStore) =>
  retryWithFreshProof(
    () => callShop(placeOrder, { body: order, headers: { 'idempotency-key': 'a-key' } }),
    session,
  );

const unexpected = () => Promise.reject(new Error('unexpected'));
/** A hosted service that repeats an old proof until a fresh one is requested. */
const hosted = (proofs: { cached: string; fresh: string | null }): IdentityClient => ({
  getCurrentUser: async () => amara,
  signUp: unexpected,
  signIn: unexpected,
  confirmSignIn: unexpected,
  signInWithGoogle: unexpected,
  requestPasswordReset: unexpected,
  getIdToken: async (options) => (options?.fresh ? proofs.fresh : proofs.cached),
  sendVerificationMail: vi.fn(async () => ({ verified: false })),
  signOut: async () => {},
});

async function openSession(identity: IdentityClient): Promise<SessionStore> {
  localStorage.setItem('accessToken', 'from before the proof');
  const session = new SessionStore(identity);
  await session.resolve();
  return session;
}

/** The shop after the confirmation: only the token from a fresh proof can order. */
function takeOrdersFromTheProven(): void {
  shop.respond(exchangeIdentity, ({ headers }) =>
    Response.json({
      acknowledged: true,
      token: headers.get('authorization') === 'Bearer proven' ? 'after the proof' : 'still unproven',
      expiresIn: 900,
    }),
  );
  shop.respond(placeOrder, ({ headers }) =>
    headers.get('authorization') === 'Bearer after the proof'
      ? Response.json({ insertedId: 'an-order' })
      : Response.json({ type: 'urn:parts-forge:problem:email-not-verified' }, { status: 403 }),
  );
}

describe('an order refused for an unconfirmed address', () => {
  test('succeeds with a fresh proof, under the same key', async () => {
    const session = await openSession(hosted({ cached: 'unproven', fresh: 'proven' }));
    takeOrdersFromTheProven();
    expect(await sendOrder(session)).toEqual({ insertedId: 'an-order' });
    const keys = shop.getRequests(placeOrder).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual(['a-key', 'a-key']);
    expect(shop.getRequests(exchangeIdentity)).toHaveLength(1);
  });

  test('stays refused after one retry without a confirmation', async () => {
    const session = await openSession(hosted({ cached: 'unproven', fresh: 'unproven' }));
    takeOrdersFromTheProven();
    await expect(sendOrder(session)).rejects.toMatchObject({ code: 'email-not-verified' });
    expect(shop.getRequests(placeOrder)).toHaveLength(2);
  });

  test('ends the sign-in if the service’s session has ended', async () => {
    const session = await openSession(hosted({ cached: 'unproven', fresh: null }));
    takeOrdersFromTheProven();
    await expect(sendOrder(session)).rejects.toMatchObject({ name: 'SignedOutError' });
    expect(session.getState()).toMatchObject({ status: 'signed-out', hasExpired: true });
  });

  test('is not resent if the shop itself confirms addresses', async () => {
    const { sendVerificationMail: _, ...embedded } = hosted({ cached: 'unproven', fresh: 'proven' });
    const session = await openSession(embedded);
    takeOrdersFromTheProven();
    await expect(sendOrder(session)).rejects.toMatchObject({ code: 'email-not-verified' });
    expect(shop.getRequests(placeOrder)).toHaveLength(1);
    expect(session.sendVerificationMail()).toBeNull();
  });
});

test('a hosted identity service mails the verification link itself', async () => {
  const identity = hosted({ cached: 'unproven', fresh: 'proven' });
  const session = await openSession(identity);
  expect(await session.sendVerificationMail()).toEqual({ verified: false });
  expect(identity.sendVerificationMail).toHaveBeenCalledOnce();
});

test('an order refused for another reason is not resent', async () => {
  const session = await openSession(hosted({ cached: 'unproven', fresh: 'proven' }));
  shop.refuse(placeOrder, 'above-stock');
  await expect(sendOrder(session)).rejects.toMatchObject({ code: 'above-stock' });
  expect(shop.getRequests(placeOrder)).toHaveLength(1);
  expect(shop.getRequests(exchangeIdentity)).toHaveLength(0);
});

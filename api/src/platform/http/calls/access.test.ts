import { policies } from '@parts-forge/contract/calls/policies';
import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { Problem } from '#src/platform/core/problem.ts';
import {
  type Actor,
  authorize,
  bearerToken,
  requireOwnEmail,
  requireOwner,
  type TokenLookup,
} from './access.ts';

const request = (authorization?: string, query: Record<string, string> = {}) =>
  ({ headers: { authorization }, query }) as unknown as FastifyRequest;

const people = {
  user: {
    userId: 'u',
    email: 'amara@fieldrepair.example',
    name: 'Amara',
    role: 'user',
    signedInAt: null,
    lacksSecondFactor: false,
    tokenHash: Buffer.of(1),
    key: null,
  },
  admin: {
    userId: 'a',
    email: 'chief@shop.example',
    name: 'Chief',
    role: 'admin',
    signedInAt: null,
    lacksSecondFactor: false,
    tokenHash: Buffer.of(2),
    key: null,
  },
} as const;
/** Knows the tokens `user` and `admin`. */
const tokens: TokenLookup = {
  findOwner: async (token) => people[token as keyof typeof people] ?? null,
  lockRights: async () => null,
  findScopes: async () => null,
};

/** `ok`, or the code of the refusal. */
async function outcome(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('access token', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer a-._~+/Z0==', 'a-._~+/Z0=='],
  ])('the token follows Bearer: %s', (header, token) => {
    expect(bearerToken(request(header))).toBe(token);
  });

  test.each([
    undefined,
    '',
    'abc',
    'Bearer',
    'Bearer ',
    'Bearer  abc',
    'Bearer abc def',
    'Bearer abc ',
    ' Bearer abc',
    'xBearer abc',
    'Basic abc',
    'Bearerabc',
    'Bearer a,b',
    'Bearer a=b',
    'Bearer =',
  ])('the header %j holds no token', (header) => {
    expect(bearerToken(request(header))).toBeNull();
  });
});

describe('authorize', () => {
  test('the actor is the owner of the token', async () => {
    const find = (token: string) =>
      authorize(request(`Bearer ${token}`), { policy: policies.readUser }, tokens);
    expect(await find('user')).toMatchObject(people.user);
    expect(await find('admin')).toMatchObject(people.admin);
  });

  test('no token is looked up where the call needs none', async () => {
    const silent: TokenLookup = { ...tokens, findOwner: () => Promise.reject(new Error('nobody may ask')) };
    for (const policy of [policies.readConfig, policies.exchangeIdentity, policies.uploadImage]) {
      expect(await authorize(request('Bearer user'), { policy }, silent)).toBeNull();
    }
  });

  test('a missing token is refused without a lookup', async () => {
    const asked: string[] = [];
    const listening: TokenLookup = {
      ...tokens,
      async findOwner(token) {
        asked.push(token);
        return null;
      },
    };
    const refuse = (header?: string) =>
      outcome(() => authorize(request(header), { policy: policies.logout }, listening));
    expect([await refuse(), await refuse('Basic abc'), await refuse('Bearer dead')]).toEqual([
      'sign-in-needed',
      'sign-in-needed',
      'sign-in-needed',
    ]);
    expect(asked).toEqual(['dead']);
  });

  test('the actor has the role that the call requires', async () => {
    const call = (policy: (typeof policies)['addProduct' | 'placeOrder'], token: string) =>
      outcome(() => authorize(request(`Bearer ${token}`), { policy }, tokens));
    expect(await call(policies.addProduct, 'user')).toBe('admin-needed');
    expect(await call(policies.addProduct, 'admin')).toBe('ok');
    expect(await call(policies.placeOrder, 'admin')).toBe('customers-only');
    expect(await call(policies.placeOrder, 'user')).toBe('ok');
  });

  test('a customer must name an email to list orders', async () => {
    const list = (token: string, query: Record<string, string>) =>
      outcome(() => authorize(request(`Bearer ${token}`, query), { policy: policies.listOrders }, tokens));
    expect(await list('user', {})).toBe('admin-needed');
    expect(await list('user', { email: 'amara@fieldrepair.example' })).toBe('ok');
    expect(await list('admin', {})).toBe('ok');
  });
});

describe('requireOwner', () => {
  const [user, admin] = [people.user, people.admin] as unknown as [Actor, Actor];

  test("another person's things are refused", async () => {
    expect(await outcome(() => requireOwner({ policy: policies.readOrder }, user, true))).toBe('ok');
    expect(await outcome(() => requireOwner({ policy: policies.readOrder }, user, false))).toBe('not-found');
    expect(await outcome(() => requireOwner({ policy: policies.readOrder }, admin, false))).toBe('ok');
    expect(await outcome(() => requireOwner({ policy: policies.openPayment }, admin, false))).toBe(
      'not-found',
    );
  });

  test("an owner's email is compared without regard to case", async () => {
    const read = (email: string) =>
      outcome(() => requireOwnEmail({ policy: policies.readUser }, user, email));
    expect(await read('AMARA@fieldrepair.example')).toBe('ok');
    expect(await read('kofi@fieldrepair.example')).toBe('not-yours');
  });
});

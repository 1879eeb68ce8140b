import { describe, expect, test } from 'vitest';
import { refusals } from '../../test/schema.ts';
import {
  buildResetLink,
  changePasswordSchema,
  googlePopupPath,
  identityServiceCalls,
  resetPasswordSchema,
  secondFactorAskedSchema,
  secondFactorSetUpSchema,
  signedInSchema,
  signInMethodSchema,
} from './identity-service.ts';

test('the calls of the identity service have different addresses', () => {
  const addresses = Object.values(identityServiceCalls).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a reset link carries its token in the fragment', () => {
  expect(buildResetLink('https://shop.example', 'abc')).toBe('https://shop.example/reset-password#token=abc');
});

test('Google sign-in returns to a page of the shop', () => {
  expect(googlePopupPath).toBe('/auth/popup.html');
});

test('password forms use the messages of the specification', () => {
  expect(refusals(resetPasswordSchema, { newPassword: '' })).toEqual({ newPassword: 'Password is Required' });
  expect(refusals(changePasswordSchema, { currentPassword: '', newPassword: 'five5' })).toEqual({
    currentPassword: 'Password is Required',
    newPassword: 'Must be 6 characters or longer',
  });
});

describe('an answer of the identity service', () => {
  const session = { id: 's1', token: 't1', createdAt: 'then', updatedAt: 'then', expiresAt: 'later' };
  const user = { id: 'u1', email: 'amara@fieldrepair.example', name: 'Amara Okafor' };

  test.each([
    ['readSession', signedInSchema, { session, user }],
    ['the session of readSession', signedInSchema.shape.session, session],
    ['the user of readSession', signedInSchema.shape.user, user],
    ['an asked second factor', secondFactorAskedSchema, { twoFactorRedirect: true, twoFactorMethods: [] }],
    ['a second factor set-up', secondFactorSetUpSchema, { totpURI: 'otpauth://totp/shop', backupCodes: [] }],
    ['a sign-in method', signInMethodSchema, { providerId: 'credential', accountId: 'u1' }],
  ])('needs every field for %s', (_answer, schema, whole) => {
    expect(refusals(schema, whole)).toEqual({});
    for (const name of Object.keys(whole))
      expect(Object.keys(refusals(schema, { ...whole, [name]: undefined }))).toEqual([name]);
  });

  test('is no asked second factor without its mark', () => {
    const asked = { twoFactorRedirect: false, twoFactorMethods: ['totp'] };
    expect(refusals(secondFactorAskedSchema, asked)).toHaveProperty('twoFactorRedirect');
  });
});

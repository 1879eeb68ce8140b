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

  test('needs session and user for readSession', () => {
    expect(signedInSchema.safeParse({ session, user }).success).toBe(true);
    expect(signedInSchema.safeParse({ session }).success).toBe(false);
    for (const name of Object.keys(session)) {
      const without = { session: { ...session, [name]: undefined }, user };
      expect(signedInSchema.safeParse(without).success, name).toBe(false);
    }
    for (const name of Object.keys(user)) {
      const without = { session, user: { ...user, [name]: undefined } };
      expect(signedInSchema.safeParse(without).success, name).toBe(false);
    }
  });

  test('names missing fields of a sign-in method', () => {
    expect(refusals(signInMethodSchema, {})).toHaveProperty('providerId');
    expect(refusals(signInMethodSchema, { providerId: 'credential' })).toHaveProperty('accountId');
  });

  test('needs both fields for an asked second factor', () => {
    const asked = { twoFactorRedirect: true, twoFactorMethods: ['totp'] };
    expect(secondFactorAskedSchema.safeParse(asked).success).toBe(true);
    expect(secondFactorAskedSchema.safeParse({ ...asked, twoFactorRedirect: false }).success).toBe(false);
    expect(secondFactorAskedSchema.safeParse({ twoFactorRedirect: true }).success).toBe(false);
  });

  test('needs address and codes for a second factor set-up', () => {
    const setUp = { totpURI: 'otpauth://totp/shop', backupCodes: ['abc-def'] };
    expect(secondFactorSetUpSchema.safeParse(setUp).success).toBe(true);
    expect(secondFactorSetUpSchema.safeParse({ backupCodes: [] }).success).toBe(false);
    expect(secondFactorSetUpSchema.safeParse({ totpURI: 'otpauth://totp/shop' }).success).toBe(false);
  });

  test('needs provider and account for a sign-in method', () => {
    const method = { providerId: 'credential', accountId: 'u1' };
    expect(signInMethodSchema.safeParse(method).success).toBe(true);
    expect(signInMethodSchema.safeParse({ providerId: 'credential' }).success).toBe(false);
    expect(signInMethodSchema.safeParse({ accountId: 'u1' }).success).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { refusals } from '../test/schema.ts';
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

test('the calls of the identity service are all different', () => {
  const addresses = Object.values(identityServiceCalls).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a link for a new password carries its token where no server and no referrer sees it', () => {
  expect(buildResetLink('https://shop.example', 'abc')).toBe('https://shop.example/reset-password#token=abc');
});

test('a window that signs in with Google comes back to a page of the shop', () => {
  expect(googlePopupPath).toBe('/auth/popup.html');
});

test('a new password is asked for in the words of the specification', () => {
  expect(refusals(resetPasswordSchema, { newPassword: '' })).toEqual({ newPassword: 'Password is Required' });
  expect(refusals(changePasswordSchema, { currentPassword: '', newPassword: 'five5' })).toEqual({
    currentPassword: 'Password is Required',
    newPassword: 'Must be 6 characters or longer',
  });
});

describe('an answer of the service is taken with all that the page needs, and refused without', () => {
  const session = { id: 's1', token: 't1', createdAt: 'then', updatedAt: 'then', expiresAt: 'later' };
  const user = { id: 'u1', email: 'amara@fieldrepair.example', name: 'Amara Okafor' };

  test('who is signed in', () => {
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

  test('what opens the account', () => {
    expect(refusals(signInMethodSchema, {})).toHaveProperty('providerId');
    expect(refusals(signInMethodSchema, { providerId: 'credential' })).toHaveProperty('accountId');
  });

  test('that a code is asked next', () => {
    const asked = { twoFactorRedirect: true, twoFactorMethods: ['totp'] };
    expect(secondFactorAskedSchema.safeParse(asked).success).toBe(true);
    expect(secondFactorAskedSchema.safeParse({ ...asked, twoFactorRedirect: false }).success).toBe(false);
    expect(secondFactorAskedSchema.safeParse({ twoFactorRedirect: true }).success).toBe(false);
  });

  test('what switches a second factor on', () => {
    const setUp = { totpURI: 'otpauth://totp/shop', backupCodes: ['abc-def'] };
    expect(secondFactorSetUpSchema.safeParse(setUp).success).toBe(true);
    expect(secondFactorSetUpSchema.safeParse({ backupCodes: [] }).success).toBe(false);
    expect(secondFactorSetUpSchema.safeParse({ totpURI: 'otpauth://totp/shop' }).success).toBe(false);
  });

  test('what opens the account', () => {
    const method = { providerId: 'credential', accountId: 'u1' };
    expect(signInMethodSchema.safeParse(method).success).toBe(true);
    expect(signInMethodSchema.safeParse({ providerId: 'credential' }).success).toBe(false);
    expect(signInMethodSchema.safeParse({ accountId: 'u1' }).success).toBe(false);
  });
});

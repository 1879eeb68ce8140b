import { expect, test } from 'vitest';
import { refusals } from '../test/schema.ts';
import {
  buildResetLink,
  changePasswordSchema,
  identityServiceCalls,
  resetPasswordSchema,
} from './identity-service.ts';

test('the calls of the identity service are all different', () => {
  const addresses = Object.values(identityServiceCalls).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a link for a new password carries its token where no server and no referrer sees it', () => {
  expect(buildResetLink('https://shop.example', 'abc')).toBe('https://shop.example/reset-password#token=abc');
});

test('a new password is asked for in the words of the specification', () => {
  expect(refusals(resetPasswordSchema, { newPassword: '' })).toEqual({ newPassword: 'Password is Required' });
  expect(refusals(changePasswordSchema, { currentPassword: '', newPassword: 'five5' })).toEqual({
    currentPassword: 'Password is Required',
    newPassword: 'Must be 6 characters or longer',
  });
});

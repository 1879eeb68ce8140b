import { MIN_ADMIN_PASSWORD } from '@parts-forge/contract/calls/bounds';
import { SECOND_FACTOR_RULES } from '@parts-forge/contract/people/identity';
import * as z from 'zod/mini';
import { firebase } from './firebase.ts';
import {
  atLeast,
  choice,
  crossCheck,
  emailAddress,
  type SettingsGroup,
  secret,
  setting,
  type Values,
} from './setting.ts';

const settings = {
  ADMIN_EMAIL: setting(
    'Email of the first administrator, together with `ADMIN_PASSWORD`. Without them the first start creates an administrator and prints the password once. With Firebase, set the email alone: the first account that signs in with it becomes the administrator.',
    z.optional(emailAddress),
  ),
  ADMIN_PASSWORD: secret(
    `Password of the first administrator, ${MIN_ADMIN_PASSWORD} characters or longer.`,
    z.optional(atLeast(MIN_ADMIN_PASSWORD)),
  ),
  IDENTITY_SECRET: secret(
    'Secret of the identity service, 32 characters or longer. Without it the first start generates one and stores it in the database.',
    z.optional(atLeast(32)),
  ),
  COMMON_PASSWORDS: setting(
    '`refuse` refuses the 10,000 most common passwords to customers too. Administrators may never use them.',
    z._default(choice(['allow', 'refuse']), 'allow'),
  ),
  ADMIN_SECOND_FACTOR: setting(
    '`required` closes administration to sessions without a second factor; `optional` lets each administrator choose.',
    z._default(choice(SECOND_FACTOR_RULES), 'optional'),
  ),
};

const { ADMIN_EMAIL, ADMIN_PASSWORD, ADMIN_SECOND_FACTOR } = settings;
const { FIREBASE_PROJECT_ID } = firebase.settings;

export const identity = {
  title: 'Identity',
  settings,
  checks: [
    crossCheck({ ADMIN_EMAIL, ADMIN_PASSWORD, FIREBASE_PROJECT_ID }, (values) => {
      const hasPassword = values.ADMIN_PASSWORD !== undefined;
      if (values.FIREBASE_PROJECT_ID !== undefined) {
        return hasPassword
          ? ['ADMIN_PASSWORD must not be set with Firebase, which has its own passwords.']
          : [];
      }
      const isComplete = (values.ADMIN_EMAIL !== undefined) === hasPassword;
      return isComplete ? [] : ['ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'];
    }),
    // Firebase has no codes: nobody could administer the shop.
    crossCheck({ ADMIN_SECOND_FACTOR, FIREBASE_PROJECT_ID }, (values) =>
      values.ADMIN_SECOND_FACTOR === 'required' && values.FIREBASE_PROJECT_ID !== undefined
        ? ['ADMIN_SECOND_FACTOR=required is not possible with Firebase.']
        : [],
    ),
  ],
} satisfies SettingsGroup;

export const readIdentity = (values: Values<typeof settings>) => ({
  adminEmail: values.ADMIN_EMAIL ?? null,
  adminPassword: values.ADMIN_PASSWORD ?? null,
  identitySecret: values.IDENTITY_SECRET ?? null,
  refuseCommonPasswords: values.COMMON_PASSWORDS === 'refuse',
  adminSecondFactor: values.ADMIN_SECOND_FACTOR,
});

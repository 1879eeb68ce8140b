import { describe, expect, test } from 'vitest';
import { refusals, textsAround } from '../../test/schema.ts';
import { exchangeIdentity, loginSchema, registerSchema } from './identity.ts';

const person = { name: 'Amara Okafor', email: 'amara@fieldrepair.example', password: 'secret-1' };

describe('the forms of sign-in and sign-up', () => {
  test('use the messages of the specification', () => {
    const messages = {
      name: 'Name is Required',
      email: 'Email is Required',
      password: 'Password is Required',
    };
    expect(refusals(registerSchema, { name: '', email: '', password: '' })).toEqual(messages);
    expect(refusals(registerSchema, {})).toEqual(messages);
    const { name: _, ...withoutName } = messages;
    expect(refusals(loginSchema, {})).toEqual(withoutName);
    expect(refusals(loginSchema, { email: '', password: '' })).toEqual(withoutName);
  });

  test('refuse a malformed email', () => {
    for (const schema of [loginSchema, registerSchema]) {
      expect(refusals(schema, { ...person, email: 'amara' })).toEqual({ email: 'Valid Email is needed' });
    }
  });

  test('accept passwords of 6 to 128 characters', () => {
    const [tooShort, shortest] = textsAround(6);
    const [, longest, tooLong] = textsAround(128);
    for (const schema of [loginSchema, registerSchema]) {
      const refuse = (password: unknown) => refusals(schema, { ...person, password });
      expect(refuse(tooShort)).toEqual({ password: 'Must be 6 characters or longer' });
      expect(refuse('x')).toEqual({ password: 'Must be 6 characters or longer' });
      expect([refuse(shortest), refuse(longest)]).toEqual([{}, {}]);
      expect(refuse(tooLong)).toEqual({ password: 'Must be no more than 128 characters' });
      expect(refuse(123456)).toEqual({ password: 'Password is Required' });
    }
  });

  test('keep the password unchanged and clean other fields', () => {
    expect(registerSchema.parse({ name: ' Amara ', email: ' a@b.co ', password: '  secret  ' })).toEqual({
      name: 'Amara',
      email: 'a@b.co',
      password: '  secret  ',
    });
  });

  test('accept a name of at most 120 characters in sign-up', () => {
    const [, longest, tooLong] = textsAround(120);
    expect(refusals(registerSchema, { ...person, name: longest })).toEqual({});
    expect(refusals(registerSchema, { ...person, name: tooLong })).toEqual({
      name: 'Must be no more than 120 characters',
    });
    expect(refusals(registerSchema, { ...person, name: ' \u0000 ' })).toEqual({ name: 'Name is Required' });
  });
});

describe('the exchange of proof for an access token', () => {
  const refuse = (body: object) => exchangeIdentity.body && refusals(exchangeIdentity.body, body);

  test('takes an optional name', () => {
    for (const body of [{ name: 'Amara' }, { name: null }, {}]) {
      expect(refuse({ email: person.email, ...body })).toEqual({});
    }
  });

  test('refuses an empty name and a missing email', () => {
    expect(refuse({ name: ' ' })).toEqual({ email: 'Email is Required', name: 'Name is Required' });
  });
});

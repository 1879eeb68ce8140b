import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { refusals, requiredFields, takes, textsAround } from '../../test/schema.ts';
import { changeRole, listUsers, profileSchema, updateProfile, userSchema } from './users.ts';

describe('a profile', () => {
  test.each([
    '',
    'https://www.linkedin.com/in/amara',
    'http://x.example',
    'HTTPS://X.example?a=b#c',
    'http://x/',
  ])('takes an http(s) link or nothing for LinkedIn: %j', (linkdin) => {
    expect(profileSchema.parse({ linkdin })).toEqual({ linkdin });
  });

  test.each([
    'javascript:alert(1)',
    'linkedin.com/in/amara',
    'https://',
    'https:///in/amara',
    'https://?in',
    'https://#in',
    'https://a b',
    'https://x.example/in/amara okafor',
    'see https://x.example',
    'ftp://x.example',
    'httpx://x.example',
    'http:/x.example',
  ])('refuses for LinkedIn %j', (linkdin) => {
    expect(refusals(profileSchema, { linkdin })).toEqual({
      linkdin: 'Must be a link that begins with http:// or https://',
    });
  });

  test('has a link of at most 300 characters', () => {
    const [, longest, tooLong] = textsAround(300 - 'http://'.length).map((name) => `http://${name}`);
    expect(takes(profileSchema, { linkdin: longest })).toBe(true);
    expect(refusals(profileSchema, { linkdin: tooLong })).toEqual({
      linkdin: 'Must be no more than 300 characters',
    });
    const { properties } = z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any' });
    expect(properties?.linkdin).toMatchObject({
      type: 'string',
      maxLength: 300,
      description: 'An http(s) URL, or empty',
    });
  });

  test.each([
    ['education', 200],
    ['location', 200],
    ['phone', 40],
  ])('accepts %s of at most %i characters in one line', (field, max) => {
    const [, longest, tooLong] = textsAround(max);
    for (const schema of [profileSchema, updateProfile.body]) {
      if (schema === undefined) throw new Error('The call has no body.');
      expect(schema.parse({ [field]: longest })).toEqual({ [field]: longest });
      expect(schema.parse({ [field]: '' })).toEqual({ [field]: '' });
      expect(schema.parse({ [field]: 'a\nb' })).toEqual({ [field]: 'a b' });
      expect(refusals(schema, { [field]: tooLong })).toEqual({
        [field]: `Must be no more than ${max} characters`,
      });
    }
  });

  test('has optional fields only', () => {
    expect(profileSchema.parse({})).toEqual({});
    expect(updateProfile.body?.parse({})).toEqual({});
  });

  test('accepts a number as phone on the wire', () => {
    const { body } = updateProfile;
    expect(body?.parse({ phone: 233302771204 })).toEqual({ phone: '233302771204' });
    for (const phone of [true, null, ['1'], {}]) {
      expect(body && refusals(body, { phone })).toEqual({ phone: 'Must be a text or a number' });
    }
  });
});

describe('users', () => {
  test('have the fields of the specification in its spelling', () => {
    const fields = ['_id', 'name', 'email', 'role', 'education', 'location', 'phone', 'linkdin'];
    expect(requiredFields(userSchema)).toEqual(expect.arrayContaining(fields));
  });

  test('are found by a search', () => {
    expect(listUsers.query?.parse({ q: ' amara ', limit: '24', after: 'x' })).toEqual({
      q: 'amara',
      limit: 24,
      after: 'x',
    });
  });

  test('are filtered by one of the two roles', () => {
    const query = listUsers.query;
    expect(query?.parse({ role: 'admin' })).toMatchObject({ role: 'admin' });
    expect(query && refusals(query, { role: 'owner' })).toEqual({ role: 'Must be admin or user' });
  });

  test("get the role 'admin' or 'user' and no other", () => {
    const { body } = changeRole;
    expect(body?.parse({ role: 'admin' })).toEqual({ role: 'admin' });
    expect(body?.parse({ role: 'user' })).toEqual({ role: 'user' });
    for (const role of ['root', '', undefined, true]) {
      expect(body && refusals(body, { role })).toEqual({ role: 'Must be admin or user' });
    }
  });
});

import { describe, expect, test } from 'vitest';
import { refusals, textsAround } from '../test/schema.ts';
import { DIRECT_UPLOAD_TYPE, openUpload, takeUpload } from './images.ts';

describe('a request for an upload address', () => {
  const { query } = openUpload;
  const message = 'Must be a whole number from 1 to 10485760';

  test('accepts an optional size in bytes', () => {
    expect(query?.parse({})).toEqual({});
    expect(query?.parse({ bytes: '1' })).toEqual({ bytes: 1 });
    expect(query?.parse({ bytes: '10485760' })).toEqual({ bytes: 10_485_760 });
  });

  test.each(['0', '10485761', '1.5', '-1', '1e3', 'x12', '12x', ' 12', '', `${'0'.repeat(9)}1`])(
    'refuses %j as size',
    (bytes) => {
      expect(query && refusals(query, { bytes })).toEqual({ bytes: message });
    },
  );
});

describe('a picture sent to the storage', () => {
  test('has a key of 1 to 300 characters', () => {
    const { body } = takeUpload;
    const [, longest, tooLong] = textsAround(300);
    for (const key of ['x', longest]) expect(body?.parse({ key })).toEqual({ key });
    for (const wrong of [{ key: '' }, { key: tooLong }, { key: 7 }, {}]) {
      expect(Object.keys(body ? refusals(body, wrong) : {})).toEqual(['key']);
    }
  });

  test('has a content type that browsers save and never render', () => {
    expect(DIRECT_UPLOAD_TYPE).toBe('application/octet-stream');
  });
});

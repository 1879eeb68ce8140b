import { describe, expect, test } from 'vitest';
import { refusals, takes } from '../test/schema.ts';
import { DIRECT_UPLOAD_TYPE, openUpload, takeUpload } from './images.ts';

describe('the size of a picture that is to be sent', () => {
  test.each(['1', '640', '10485760'])('may be %s bytes', (bytes) => {
    expect(openUpload.query?.parse({ bytes })).toEqual({ bytes: Number(bytes) });
  });

  test.each(['0', '10485761', '9999999999', '1.5', 'x1', '1x', '-1', ''])('is not %j', (bytes) => {
    expect(openUpload.query && refusals(openUpload.query, { bytes })).toEqual({
      bytes: 'Must be a whole number from 1 to 10485760',
    });
  });

  test('may be unsaid', () => {
    expect(openUpload.query?.parse({})).toEqual({});
  });
});

test('a picture in the storage is a file to be saved, never a page', () => {
  expect(DIRECT_UPLOAD_TYPE).toBe('application/octet-stream');
});

test('a picture that was sent is named by its key, of 1 to 300 characters', () => {
  const takesKey = (key: unknown) => takeUpload.body && takes(takeUpload.body, { key });
  for (const key of ['x', 'x'.repeat(300)]) expect(takesKey(key)).toBe(true);
  for (const key of ['', 'x'.repeat(301), undefined, 7]) expect(takesKey(key)).toBe(false);
});

import { expect, test } from 'vitest';
import { judgeSpace } from './check-data-folder.ts';

test('the room that is left is enough, little, or too little', () => {
  expect(judgeSpace(2e9, '/srv')).toEqual({ verdict: 'works', sentence: '2.0 GB are free at /srv.' });
  expect(judgeSpace(1.9e9, '/srv').verdict).toBe('note');
  expect(judgeSpace(0.2e9, '/srv').verdict).toBe('note');
  expect(judgeSpace(0.19e9, '/srv').verdict).toBe('fails');
});

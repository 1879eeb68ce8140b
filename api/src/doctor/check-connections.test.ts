import { expect, test } from 'vitest';
import { judgePooling } from './check-connections.ts';

const straight = { isPooled: false, sharesSessions: false, isDirectPooled: false, hasDirectUrl: false };
/** Without a direct address, sessions go through the pooler too. */
const pooled = { ...straight, isPooled: true, isDirectPooled: true };
const pastPooler = { ...pooled, isDirectPooled: false, hasDirectUrl: true };

test.each([
  ['no pooler', straight, []],
  ['a pooler in transaction mode', { ...pooled, sharesSessions: true }, ['fails']],
  ['a pooler whose sessions last', pooled, ['note']],
  ['a pooler in transaction mode, and a way past it', { ...pastPooler, sharesSessions: true }, ['works']],
  ['a way past a pooler whose sessions last', pastPooler, ['works']],
  ['a direct address that leads through a pooler', { ...pastPooler, isDirectPooled: true }, ['fails']],
  ['a direct address without need', { ...straight, hasDirectUrl: true }, ['note']],
])('%s', (_, pooling, verdicts) => {
  expect(judgePooling(pooling).map(({ verdict }) => verdict)).toEqual(verdicts);
});

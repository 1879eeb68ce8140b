import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('turns are limited and follow the order of arrival', async () => {
  const takeTurn = createTurns(1);
  const begun: string[] = [];
  const begin = async (name: string) => {
    const end = await takeTurn();
    begun.push(name);
    return end;
  };
  const endFirst = await begin('first');
  const second = begin('second');
  endFirst();
  // Arrives between the handover of the turn and the second's start.
  const third = begin('third');
  (await second)();
  (await third)();
  expect(begun).toEqual(['first', 'second', 'third']);
});

test('an abort during the handover keeps the turn usable', async () => {
  const takeTurn = createTurns(1);
  const end = await takeTurn();
  const leaving = new AbortController();
  const handedOver = takeTurn(leaving.signal);
  end();
  leaving.abort();
  (await handedOver)();
  (await takeTurn())();
});

test('an aborted caller takes no turn', async () => {
  const takeTurn = createTurns(1);
  await expect(takeTurn(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  (await takeTurn())();
});

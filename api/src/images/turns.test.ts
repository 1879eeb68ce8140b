import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

test('so many work at a time, and the others follow in the order they came', async () => {
  const takeTurn = createTurns(1);
  const begun: string[] = [];
  const begin = async (name: string) => {
    const end = await takeTurn(never);
    begun.push(name);
    return end;
  };
  const endFirst = await begin('first');
  const second = begin('second');
  endFirst();
  // Comes when the turn was handed over and before the second goes on.
  const third = begin('third');
  (await second)();
  (await third)();
  expect(begun).toEqual(['first', 'second', 'third']);
});

test('whoever goes away in the moment of their turn has it, and gives it back', async () => {
  const takeTurn = createTurns(1);
  const end = await takeTurn(never);
  const leaving = new AbortController();
  const handedOver = takeTurn(leaving.signal);
  end();
  leaving.abort();
  (await handedOver)();
  (await takeTurn(never))();
});

test('nobody who is gone already takes a turn', async () => {
  const takeTurn = createTurns(1);
  await expect(takeTurn(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  (await takeTurn(never))();
});

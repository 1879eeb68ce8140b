import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createPlaces } from './upload-places.ts';

const minute = 60_000;
const busy = { code: 'overloaded', extras: { retryAfterSeconds: 5 } };

test('an upload waits until another one ends', async () => {
  const takePlace = createPlaces({ places: 1, waiting: 1, waitMs: minute });
  const first = new EventEmitter();
  const firstPlace = await takePlace(first);
  const second = takePlace(new EventEmitter());
  first.emit('finish');
  expect(firstPlace.aborted).toBe(true);
  expect((await second).aborted).toBe(false);
  // Counts the place once.
  first.emit('close');
  const third = takePlace(new EventEmitter());
  await expect(takePlace(new EventEmitter())).rejects.toMatchObject(busy);
  third.catch(() => {});
});

test('an upload beyond the queue is refused at once', async () => {
  const takePlace = createPlaces({ places: 1, waiting: 1, waitMs: minute });
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  await takePlace(first);
  const waiting = takePlace(second);
  await expect(takePlace(new EventEmitter())).rejects.toMatchObject(busy);
  first.emit('close');
  expect((await waiting).aborted).toBe(false);
});

test('an upload that waits too long is refused with 503', async () => {
  const takePlace = createPlaces({ places: 1, waiting: 1, waitMs: 1 });
  const first = new EventEmitter();
  await takePlace(first);
  const waiting = new EventEmitter();
  await expect(takePlace(waiting)).rejects.toMatchObject(busy);
  waiting.emit('close');
  first.emit('close');
  expect((await takePlace(new EventEmitter())).aborted).toBe(false);
});

test('an upload that disconnects while waiting leaves the queue', async () => {
  const takePlace = createPlaces({ places: 1, waiting: 1, waitMs: minute });
  const first = new EventEmitter();
  await takePlace(first);
  const leaving = new EventEmitter();
  const left = takePlace(leaving);
  leaving.emit('close');
  expect((await left).aborted).toBe(true);
  const third = takePlace(new EventEmitter());
  first.emit('close');
  expect((await third).aborted).toBe(false);
});

test('a third upload of one sender leaves the places to others', async () => {
  const takePlace = createPlaces({ places: 4, waiting: 20, waitMs: minute });
  const first = new EventEmitter();
  await takePlace(first, 'ana');
  await takePlace(new EventEmitter(), 'ana');
  await expect(takePlace(new EventEmitter(), 'ana')).rejects.toMatchObject({ code: 'too-many' });
  expect((await takePlace(new EventEmitter(), 'bo')).aborted).toBe(false);
  first.emit('close');
  expect((await takePlace(new EventEmitter(), 'ana')).aborted).toBe(false);
});

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Calls, Person } from '../torture/calls.ts';
import { type Cast, describeOrder, type Part } from '../torture/customers.ts';

const FRESH_WITHIN_MS = 1_000;

/** A sentence. */
export type Finding = string;

/** Three hundred minimum orders, stock for twenty. */
export async function raceForTheLastPieces({ calls, customers, administrator }: Cast): Promise<Finding[]> {
  const part = await restock(calls, administrator, 6, ({ minimumOrder }) => 20 * minimumOrder);
  const answers = await atOnce(300, (index) => {
    const person = customers[index % customers.length];
    return order(calls, person, part, part.minimumOrder);
  });
  const placed = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 409).length;
  const left = await readStock(calls, part, 0);
  return [
    ...(placed === 20 && refused === 280 ? [] : [`the last pieces: ${placed} placed and ${refused} refused`]),
    ...(left === 0 ? [] : [`the last pieces: ${left} are left`]),
  ];
}

/** The same order forty times. */
export async function raceOfOneKey({ calls, customers, administrator }: Cast): Promise<Finding[]> {
  const part = await restock(calls, administrator, 7, () => 10_000);
  const key = randomUUID();
  const answers = await atOnce(40, () => order(calls, customers[0], part, part.minimumOrder, key));
  const ids = new Set(answers.map(({ status, body }) => (status === 200 ? body.insertedId : status)));
  const expected = 10_000 - part.minimumOrder;
  const left = await readStock(calls, part, expected);
  const isOne = answers.every(({ status }) => status === 200) && ids.size === 1 && left === expected;
  return isOne
    ? []
    : [`one key: orders or statuses ${[...ids].join(', ')}, ${left} pieces left of ${expected}`];
}

/** Shown by every process within a second. @returns a differing stock, else the expected one */
async function readStock(calls: Calls, { _id }: Part, expected: number): Promise<number> {
  await pause(FRESH_WITHIN_MS);
  const answers = await atOnce(20, () => calls.call('GET', `/product/${_id}`));
  return answers.map(({ body }) => body.data.quantity).find((shown) => shown !== expected) ?? expected;
}

async function restock(
  calls: Calls,
  person: Person,
  index: number,
  countPieces: (part: Part) => number,
): Promise<Part> {
  const part: Part = (await calls.call('GET', '/product')).body[index];
  const { status } = await calls.call('PUT', `/product/${part._id}`, {
    person,
    body: { quantity: countPieces(part) },
  });
  if (status !== 200) throw new Error(`Part ${part._id} cannot be restocked: ${status}`);
  return part;
}

function order(
  calls: Calls,
  person: Person | undefined,
  part: Part,
  quantity: number,
  key = randomUUID(),
): Promise<Answer> {
  if (!person) throw new Error('There are no customers.');
  const body = describeOrder(person, part, quantity, 'A race');
  return calls.call('POST', '/order', { person, body, key });
}

const atOnce = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

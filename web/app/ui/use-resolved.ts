import { use } from 'react';

/** Suspends while the value is a pending promise. */
export const useResolved = <Value>(value: Value | Promise<Value>): Value =>
  value instanceof Promise ? use(value) : value;

import { use } from 'react';

/** The value itself; while it is a promise that is pending, the nearest `Suspense` shows its fallback. */
export const useResolved = <Value>(value: Value | Promise<Value>): Value =>
  value instanceof Promise ? use(value) : value;

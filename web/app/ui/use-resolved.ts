import { use } from 'react';

/** Something that is there, or on its way: then the nearest `Suspense` shows its fallback meanwhile. */
export const useResolved = <Value>(value: Value | Promise<Value>): Value =>
  value instanceof Promise ? use(value) : value;

import { type ReactNode, useState } from 'react';

/** `ask` opens the dialog about a thing, `dialog` is the open one; it is mounted with its thing. */
export function useQuestion<Thing>(render: (thing: Thing, close: () => void) => ReactNode) {
  const [thing, ask] = useState<Thing | null>(null);
  return { ask, dialog: thing && render(thing, () => ask(null)) };
}

import type { ReactNode } from 'react';

/** One component in one state. */
export interface Example {
  name: string;
  render: () => ReactNode;
}

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

import type { ReactNode } from 'react';

export interface Example {
  name: string;
  render: () => ReactNode;
}

export interface ExampleGroup {
  title: string;
  examples: readonly Example[];
}

import type { ElementType, Key, ReactElement } from 'react';
import { jsx, jsxs, type Props } from './jsx-runtime.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

export const jsxDEV = (
  type: ElementType,
  props: Props,
  key: Key | undefined,
  isStatic: boolean,
): ReactElement => (isStatic ? jsxs : jsx)(type, props, key);

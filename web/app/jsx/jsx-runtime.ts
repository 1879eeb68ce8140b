import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-runtime';
import { ownTexts } from './own-texts.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

export type Props = Record<string, unknown>;

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  react.jsx(type, ownTexts(type, props), key);

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const owned = ownTexts(type, props);
  return Array.isArray(owned.children) ? react.jsxs(type, owned, key) : react.jsx(type, owned, key);
}

import type { Component, ElementType, ExoticComponent, Key, ReactElement, JSX as ReactJsx } from 'react';
import * as react from 'react/jsx-runtime';
import { ownTexts } from './own-texts.ts';

export { Fragment } from 'react/jsx-runtime';

/** React's, but a component never returns a bare text, which nothing here could give an element. */
export declare namespace JSX {
  type ElementType =
    | keyof IntrinsicElements
    // Typed to return any node, such as the fragment.
    | ExoticComponent<never>
    | (new (
        props: never,
      ) => Component)
    | ((props: never) => ReactElement | readonly ReactElement[] | boolean | null);
  type Element = ReactJsx.Element;
  type ElementAttributesProperty = ReactJsx.ElementAttributesProperty;
  type ElementChildrenAttribute = ReactJsx.ElementChildrenAttribute;
  type IntrinsicAttributes = ReactJsx.IntrinsicAttributes;
  type IntrinsicElements = ReactJsx.IntrinsicElements;
}

export type Props = Record<string, unknown>;

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement =>
  react.jsx(type, ownTexts(type, props), key);

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const owned = ownTexts(type, props);
  return Array.isArray(owned.children) ? react.jsxs(type, owned, key) : react.jsx(type, owned, key);
}

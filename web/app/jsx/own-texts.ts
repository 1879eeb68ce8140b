import { createElement, Fragment, type ReactNode } from 'react';

/** They take text alone. */
const textOnly = new Set<unknown>(['option', 'title', 'textarea', 'style', 'script', 'text', 'tspan']);

/** Amounts, part numbers and the like: no language has them. */
const isCode = (text: string): boolean => /\d/.test(text) && !/\p{Ll}/u.test(text);

const isText = (child: unknown): child is string | number =>
  typeof child === 'string' || typeof child === 'number';

/**
 * A browser that translates puts each text into elements of its own. React would then write into texts that
 * the page no longer has, and break where it removes one or puts an element before it. So every text that is
 * not alone in its element gets an element, and adjacent texts become one; codes are not translated.
 */
export function ownTexts(type: unknown, props: Record<string, unknown>): Record<string, unknown> {
  const { children } = props as { children?: ReactNode };
  const isHost = typeof type === 'string';
  if (isText(children)) {
    if (type === Fragment) return { ...props, children: wrapTexts([children]) };
    return isHost ? nameCode(props, String(children)) : props;
  }
  if (!Array.isArray(children) || (isHost && textOnly.has(type) && !isAlone(children))) return props;
  if (type === Fragment || !isAlone(children)) return { ...props, children: wrapTexts(children) };
  const text = children.filter(isText).join('');
  return isHost ? nameCode({ ...props, children: text }, text) : { ...props, children: text };
}

const isAlone = (children: readonly ReactNode[]): boolean =>
  children.some(isText) &&
  children.every((child) => isText(child) || child == null || typeof child === 'boolean');

/** Keeps each child's place, by which React knows it. */
function wrapTexts(children: readonly ReactNode[]): ReactNode[] {
  return children.map((child, index) => {
    if (Array.isArray(child)) return wrapTexts(child);
    if (!isText(child)) return child;
    if (isText(children[index - 1])) return null;
    const end = children.findIndex((other, place) => place > index && !isText(other));
    const text = children.slice(index, end === -1 ? undefined : end).join('');
    // A space between elements stays a text that nobody translates or removes.
    if (text.trim() === '') return text;
    return createElement('span', nameCode({ key: `text ${index}`, className: 'contents' }, text), text);
  });
}

const nameCode = (props: Record<string, unknown>, text: string): Record<string, unknown> =>
  isCode(text) && props.translate === undefined ? { ...props, translate: 'no' } : props;

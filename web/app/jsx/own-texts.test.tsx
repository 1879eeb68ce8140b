import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

/** As a browser that translates does it. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const font = document.createElement('font');
    font.append(text.data);
    text.parentNode?.replaceChild(font, text);
  }
}

function Line({ count, hasMark }: { count: number; hasMark: boolean }) {
  return (
    <p>
      {hasMark && <b>!</b>}
      {count} pieces {hasMark ? 'are held' : 'are free'}
      {hasMark && <i>soon</i>}
    </p>
  );
}

test('a translated text is replaced, removed and preceded by elements', () => {
  const { container, rerender } = render(<Line count={50} hasMark={false} />);
  for (const [count, hasMark, text] of [
    [500, true, '!500 pieces are heldsoon'],
    [60, false, '60 pieces are free'],
    [70, true, '!70 pieces are heldsoon'],
  ] as const) {
    translate(container);
    rerender(<Line count={count} hasMark={hasMark} />);
    expect(container).toHaveTextContent(text);
  }
});

test('texts beside elements have one element, and alone none', () => {
  const { container, rerender } = render(<Line count={50} hasMark />);
  expect(container.innerHTML).toBe(
    '<p><b>!</b><span class="contents">50 pieces are held</span><i>soon</i></p>',
  );
  rerender(<Line count={50} hasMark={false} />);
  expect(container.innerHTML).toBe('<p>50 pieces are free</p>');
});

test('an element keeps its place when a text before it goes', () => {
  const Field = ({ label }: { label: string | null }) => (
    <div>
      {label}
      <input aria-label="Name" />
    </div>
  );
  const { container, rerender } = render(<Field label="Name" />);
  const input = container.querySelector('input');
  rerender(<Field label={null} />);
  expect(container.querySelector('input')).toBe(input);
});

test('amounts and part numbers are not translated, sentences are', () => {
  const { container } = render(
    <div>
      <p>{'$1,234.50'}</p>
      <p>{'PF-D6101'}</p>
      <p>{'3 × $64.50'}</p>
      <p>{'3 pieces'}</p>
      <p translate="yes">{'2026'}</p>
    </div>,
  );
  const marks = [...container.querySelectorAll('p')].map((each) => each.getAttribute('translate'));
  expect(marks).toEqual(['no', 'no', 'no', null, 'yes']);
});

test('texts of a list beside other children have elements, too', () => {
  const { container } = render(
    <p>
      <b>!</b>
      {['take ', <i key="most">400</i>, ' at most']}
    </p>,
  );
  expect(container.innerHTML).toBe(
    '<p><b>!</b><span class="contents">take </span><i translate="no">400</i><span class="contents"> at most</span></p>',
  );
});

test('a text after an empty one stays', () => {
  const { container } = render(
    <p>
      <b>$1.05</b>
      {''} <i>from 500</i>
      {''} pieces
    </p>,
  );
  expect(container.textContent).toBe('$1.05 from 500 pieces');
});

test('an option and a title have one text', () => {
  const { container } = render(
    <select>
      <option>
        {50} {'pieces'}
      </option>
    </select>,
  );
  expect(container.innerHTML).toBe('<select><option>50 pieces</option></select>');
});

test('a component that returns a bare text is a type error', () => {
  const BareText = () => 'A text';
  // @ts-expect-error: a translated page would lose it.
  expect(render(<BareText />).container).toHaveTextContent('A text');
});

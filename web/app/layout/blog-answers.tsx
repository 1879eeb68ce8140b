import type { ReactNode } from 'react';

interface Answer {
  question: string;
  /** The first paragraph, also for search engines. */
  summary: string;
  more: ReactNode;
}

/** The five questions of the blog page (specification §2). */
export const answers: readonly Answer[] = [
  {
    question: 'How can the performance of a React application be improved?',
    summary:
      'Measure first, in a production build and on a slow device: the profiler names the components that render too often, the network panel names what loads too late. Then send less JavaScript, render less, and do it later.',
    more: (
      <>
        <p>
          To render less, keep state close to where it is used, so that a change redraws a small part of the
          page, and pass finished elements as children, which do not render again when their parent does. A
          key stroke in a search field should redraw the field, not the shop. The compiler, or memo and
          useMemo, can then help with the few components that the profiler still names.
        </p>
        <p>
          To send less, split the code by route, render the first view on the server, give pictures the size
          they are shown at, and put long lists behind pages or a virtual window. What is typed should appear
          at once: use startTransition or useDeferredValue for the slow part that follows from it.
        </p>
      </>
    ),
  },
  {
    question: 'What are the ways of managing state in a React application?',
    summary:
      'There are four places: the component itself with useState or useReducer, a shared store or context, a cache of what the server said, and the address bar. Choose by who owns the fact and how long it should live.',
    more: (
      <>
        <p>
          An open menu belongs to its component. The theme or the signed-in person is needed everywhere and
          changes rarely, which suits context; a store such as Redux or Zustand suits facts that many parts
          read and change. Orders and products belong to the server: a query library fetches, caches and
          refetches them, so that nobody keeps an old copy. Filters, sorting and page numbers belong in the
          address, where they survive a reload and can be sent to a colleague.
        </p>
        <p>Most trouble comes from keeping one fact in two of these places.</p>
      </>
    ),
  },
  {
    question: 'How does prototypal inheritance work?',
    summary:
      'Every JavaScript object has a hidden link to another object, its prototype. When a property is not found on the object itself, the look-up goes on along this chain until it is found or the chain ends in null.',
    more: (
      <>
        <Code>{`const part = { unit: 'piece', label() { return \`\${this.name}, per \${this.unit}\`; } };
const display = Object.create(part);
display.name = 'OLED display';

display.label();                          // 'OLED display, per piece'
Object.hasOwn(display, 'unit');           // false: found on the prototype
Object.getPrototypeOf(display) === part;  // true`}</Code>
        <p>
          Reading follows the chain, writing does not: setting display.unit would create an own property that
          hides the inherited one. Within an inherited method, this is the object on which it was called.
          Classes are a notation for the same mechanism: methods stand once on the prototype and are shared by
          all instances, and extends links one prototype to the next.
        </p>
      </>
    ),
  },
  {
    question: 'Why must state not be set directly?',
    summary:
      'React learns of a change only through the setter, and compares the new value with the old one to decide what to redraw. An object that was changed in place is still the same object: the change goes unseen and the page shows old data.',
    more: (
      <>
        <Code>{`order.quantity = 100;                   // nothing is drawn
setOrder(order);                        // the same object: still nothing
setOrder({ ...order, quantity: 100 });  // a new object: drawn
setQuantity((now) => now + 1);          // from the value as it is then`}</Code>
        <p>
          State is a picture of one moment. Effects, memoised values and pending transitions all rely on the
          picture of their moment staying as it was; changing it underneath them gives errors that come and
          go. A new value through the setter also lets React collect several changes into one drawing.
        </p>
      </>
    ),
  },
  {
    question: 'How do you search products by name with a filter?',
    summary:
      'Keep only the search text as state and derive the visible list from it while rendering: filter keeps the products whose name, in lower case, includes the text, in lower case.',
    more: (
      <>
        <Code>{`const [text, setText] = useState('');
const wanted = text.trim().toLowerCase();
const visible = products.filter((product) => product.name.toLowerCase().includes(wanted));`}</Code>
        <p>
          The filtered list is never stored; it follows from the products and the text, so the two cannot
          disagree, and an empty text shows everything. This suits a few hundred products. Beyond that the
          server should search: our part list waits until typing has rested for a quarter of a second, puts
          the text into the address and asks for the first page of what matches.
        </p>
      </>
    ),
  },
];

function Code({ children }: { children: string }) {
  return (
    // Wide code scrolls in its own box, which the keyboard must reach.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls.
    <pre tabIndex={0} className="overflow-x-auto rounded-field bg-base-200 p-4 text-sm text-base-content">
      <code>{children}</code>
    </pre>
  );
}

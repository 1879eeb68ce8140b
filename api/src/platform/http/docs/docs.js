// Adds missing names and keyboard access after each render.
const findName = (element) =>
  element.closest('[data-param-name]')?.dataset.paramName ??
  element.closest('.opblock')?.querySelector('.opblock-summary-control')?.textContent ??
  'Choice';

const setRegion = (element, name) => {
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', name);
};

const mends = [
  ['.information-container', (part) => setRegion(part, 'About the calls')],
  ['.scheme-container', (part) => setRegion(part, 'Access token')],
  ['h3.opblock-tag', (heading) => heading.setAttribute('aria-level', '2')],
  ['h4, .opblock-title', (heading) => heading.setAttribute('aria-level', '3')],
  ['h5', (heading) => heading.setAttribute('aria-level', '4')],
  ['select:not([aria-label])', (select) => select.setAttribute('aria-label', findName(select))],
  ['pre:not([tabindex])', (text) => text.setAttribute('tabindex', '0')],
  [
    '.responses-table[role="region"]:not([aria-label])',
    (table) =>
      table.setAttribute(
        'aria-label',
        `${table.closest('.responses-inner') ? 'Answers' : 'Answer'} of ${findName(table)}`,
      ),
  ],
];

function mend() {
  for (const [selector, put] of mends)
    for (const element of document.querySelectorAll(selector)) put(element);
}

new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
mend();

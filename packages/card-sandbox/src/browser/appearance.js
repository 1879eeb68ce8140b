/**
 * How the fields look: Stripe's appearance options as a style sheet for the frame.
 *
 * @typedef {Record<string, string>} Variables
 * @typedef {{ theme?: string, variables?: Variables, rules?: Record<string, Record<string, string>> }} Appearance
 */

/** @type {Variables} */
const lightColours = {
  colorPrimary: '#0570de',
  colorBackground: '#ffffff',
  colorText: '#30313d',
  colorTextSecondary: '#6d6e78',
  colorDanger: '#df1b41',
};
/** @type {Variables} */
const darkColours = {
  colorPrimary: '#85d996',
  colorBackground: '#30313d',
  colorText: '#ffffff',
  colorTextSecondary: '#c9ced8',
  colorDanger: '#fe87a1',
};

/**
 * @param {Appearance | undefined} appearance
 * @param {'stacked' | 'plain'} layout plain: for the older card element, without labels
 */
export function styleSheetOf(appearance, layout) {
  /** @type {Variables} */
  const look = {
    fontFamily: 'system-ui, sans-serif',
    fontSizeBase: '16px',
    spacingUnit: '4px',
    borderRadius: '5px',
    ...(appearance?.theme === 'night' ? darkColours : lightColours),
    ...appearance?.variables,
  };
  // A frame without an address is in quirks mode, where a body without a height of its own never shrinks again.
  // The ground is named, though it is the page's own: contrast inside a frame is judged without what is behind.
  return `
    * { box-sizing: border-box; }
    html { background: ${look.colorBackground}; font-size: ${look.fontSizeBase}; }
    body { height: fit-content; margin: 0; padding: 4px; font-family: ${look.fontFamily}; color: ${look.colorText}; line-height: 1.25; }
    .Fields { display: grid; grid-template-columns: 1fr 1fr; gap: calc(${look.spacingUnit} * 5) calc(${look.spacingUnit} * 4); }
    .Field--wide { grid-column: 1 / -1; }
    .Label { display: ${layout === 'plain' ? 'none' : 'block'}; margin-bottom: 8px; font-size: 0.875rem; line-height: 20px; }
    .Input { display: block; width: 100%; height: 48px; padding: 12px; font: inherit; color: inherit;
      background: ${look.colorBackground}; border: 1px solid ${look.colorTextSecondary};
      border-radius: ${look.borderRadius}; outline-offset: 0; }
    .Input::placeholder { color: ${look.colorTextPlaceholder ?? look.colorTextSecondary}; opacity: 1; }
    .Input:focus { border-color: ${look.colorPrimary}; outline: 2px solid ${look.colorPrimary}; }
    .Input--invalid { border-color: ${look.colorDanger}; }
    .Input:disabled { opacity: 0.6; }
    .Error { margin: 4px 0 0; font-size: 0.875rem; color: ${look.colorDanger}; }
    .Error:empty { display: none; }
    ${rulesOf(appearance?.rules)}`;
}

/**
 * The page's own rules. Our classes have Stripe's names, so they hold as they are; anything that could end a
 * rule is left out.
 * @param {Appearance['rules']} rules
 */
function rulesOf(rules) {
  return Object.entries(rules ?? {})
    .filter(([selector]) => /^\.[\w\-:.]+$/.test(selector))
    .map(([selector, declarations]) => {
      const lines = Object.entries(declarations)
        .filter(([, value]) => !/[{};]/.test(value))
        .map(
          ([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`,
        );
      return `${selector} { ${lines.join(' ')} }`;
    })
    .join('\n');
}

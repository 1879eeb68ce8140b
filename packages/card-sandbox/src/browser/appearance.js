/**
 * Builds the frame's style sheet from Stripe's appearance options.
 *
 * @typedef {Record<string, string>} Variables
 * @typedef {{ theme?: string, variables?: Variables, rules?: Record<string, Record<string, string>> }} Appearance
 */

/** @type {Variables} */
const lightColors = {
  colorPrimary: '#0570de',
  colorBackground: '#ffffff',
  colorText: '#30313d',
  colorTextSecondary: '#6d6e78',
  colorDanger: '#df1b41',
};
/** @type {Variables} */
const darkColors = {
  colorPrimary: '#85d996',
  colorBackground: '#30313d',
  colorText: '#ffffff',
  colorTextSecondary: '#c9ced8',
  colorDanger: '#fe87a1',
};

/** @param {Appearance | undefined} appearance */
export function buildStyleSheet(appearance) {
  /** @type {Variables} */
  const variables = {
    fontFamily: 'system-ui, sans-serif',
    fontSizeBase: '16px',
    spacingUnit: '4px',
    borderRadius: '5px',
    ...(appearance?.theme === 'night' ? darkColors : lightColors),
    ...appearance?.variables,
  };
  // A frame without an address is in quirks mode: a body without an explicit height never shrinks again.
  // Accessibility checks cannot see the page's background.
  return `
    * { box-sizing: border-box; }
    html { background: ${variables.colorBackground}; font-size: ${variables.fontSizeBase}; }
    body { height: fit-content; margin: 0; padding: 4px; font-family: ${variables.fontFamily}; color: ${variables.colorText}; line-height: 1.25; }
    .Fields { display: grid; grid-template-columns: 1fr 1fr; gap: calc(${variables.spacingUnit} * 5) calc(${variables.spacingUnit} * 4); }
    .Field--wide { grid-column: 1 / -1; }
    .Label { display: block; margin-bottom: 8px; font-size: 0.875rem; line-height: 20px; }
    .Input { display: block; width: 100%; height: 48px; padding: 12px; font: inherit; color: inherit;
      background: ${variables.colorBackground}; border: 1px solid ${variables.colorTextSecondary};
      border-radius: ${variables.borderRadius}; outline-offset: 0; }
    .Input::placeholder { color: ${variables.colorTextPlaceholder ?? variables.colorTextSecondary}; opacity: 1; }
    .Input:focus { border-color: ${variables.colorPrimary}; outline: 2px solid ${variables.colorPrimary}; }
    .Input--invalid { border-color: ${variables.colorDanger}; }
    .Input:disabled { opacity: 0.6; }
    .Error { margin: 4px 0 0; font-size: 0.875rem; color: ${variables.colorDanger}; }
    .Error:empty { display: none; }
    ${buildRules(appearance?.rules)}`;
}

/**
 * The page's own rules; Stripe's class names apply unchanged. A selector or value that could close its rule
 * is dropped.
 * @param {Appearance['rules']} rules
 */
function buildRules(rules) {
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

import { useEffect, useRef } from 'react';

export type Theme = 'light' | 'dark';

/**
 * A mail's HTML without scripts or working links. The content policy forbids a document's inline styles but
 * not styles set by script, so a script sets them.
 * @param theme of the surrounding page
 */
export function MailFrame({ html, title, theme }: { html: string; title: string; theme: Theme }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page) showMail(page, html, theme);
  }, [html, theme]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      className="pf-panel h-[48rem] w-full bg-base-200"
    />
  );
}

/** Expects the shop's own HTML, which escapes every quote and `<` of a text. */
function showMail(page: Document, html: string, theme: Theme): void {
  const whenDark = theme === 'dark' ? 'all' : 'not all';
  // Parsing inline styles would log a policy violation for each.
  const sheets: string[] = [];
  const withoutStyles = html
    .replace(/<style>(.*?)<\/style>/gs, (_, sheet: string) => {
      sheets.push(sheet.replaceAll('(prefers-color-scheme:dark)', whenDark));
      return '';
    })
    .replaceAll(' style="', ' data-style="');
  const { body } = new DOMParser().parseFromString(withoutStyles, 'text/html');
  for (const link of body.querySelectorAll('a')) {
    link.title = link.href;
    link.removeAttribute('href');
  }
  page.body.replaceWith(page.adoptNode(body));
  for (const element of [body, ...body.querySelectorAll<HTMLElement>('[data-style]')]) {
    element.style.cssText = element.dataset.style ?? '';
  }
  const View = page.defaultView?.CSSStyleSheet;
  if (!View) return;
  page.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new View();
    sheet.replaceSync(text);
    return sheet;
  });
}

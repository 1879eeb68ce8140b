import { useEffect, useRef } from 'react';

/**
 * A mail's HTML in a frame that runs nothing and leads nowhere. The page's policy allows no style that stands in a
 * document, so each is set by script, which it allows; the frame has no right to run any of its own.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page) showMail(page, html);
  }, [html]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-same-origin"
      className="pf-panel h-[48rem] w-full bg-base-200"
    />
  );
}

function showMail(page: Document, html: string): void {
  const mail = new DOMParser().parseFromString(html, 'text/html');
  const sheets = [...mail.querySelectorAll('style')].map(({ textContent }) => textContent);
  for (const link of mail.querySelectorAll('a')) {
    link.title = link.href;
    link.removeAttribute('href');
  }
  const styles = [mail.body, ...mail.body.querySelectorAll<HTMLElement>('[style]')].map((element) => {
    const text = element.getAttribute('style') ?? '';
    element.removeAttribute('style');
    return [element, text] as const;
  });
  page.body.replaceWith(page.adoptNode(mail.body));
  for (const [element, text] of styles) element.style.cssText = text;
  const View = page.defaultView?.CSSStyleSheet;
  if (!View) return;
  page.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new View();
    sheet.replaceSync(text);
    return sheet;
  });
}

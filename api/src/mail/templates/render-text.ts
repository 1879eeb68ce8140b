import { type Link, type MailWords, SENDER_LINE, type Span } from './mail-words.ts';

/** The mail for programs that show plain text, with every link in full. */
export function renderText({ title, paragraphs, action, facts, footnote }: MailWords): string {
  const blocks = [
    title,
    ...paragraphs.map((spans) => spans.map(plainText).join('')),
    action && describeLink(action),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    footnote.link ? `${footnote.text}\n${describeLink(footnote.link)}` : footnote.text,
    `-- \n${SENDER_LINE}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const plainText = (span: Span) => (typeof span === 'string' ? span : span.strong);
const describeLink = ({ label, url }: Link) => `${label}:\n${url}`;

import { describeSender, type Link, type MailWords, type Sender, type Span } from './mail-words.ts';

/** With every link in full. */
export function renderText(
  { title, paragraphs, action, facts, footnote }: MailWords,
  sender: Sender,
): string {
  const blocks = [
    title,
    ...paragraphs.map((spans) => spans.map(plainText).join('')),
    action && describeLink(action),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    footnote.link ? `${footnote.text}\n${describeLink(footnote.link)}` : footnote.text,
    `-- \n${describeSender(sender)}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const plainText = (span: Span) => (typeof span === 'string' ? span : span.strong);
const describeLink = ({ label, url }: Link) => `${label}:\n${url}`;

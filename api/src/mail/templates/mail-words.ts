/** What a mail says; how it looks is `render-html.ts`'s and `render-text.ts`'s matter, and so is escaping. */
export interface MailWords {
  subject: string;
  /** What programs show behind the subject before the mail is opened. */
  preview: string;
  /** At the top, opposite the shop's name. */
  about: string;
  title: string;
  paragraphs: readonly (readonly Span[])[];
  action?: Link;
  /** Labels and values, the last one of an amount in large type. */
  facts: readonly Fact[];
  /** In small type at the end. */
  footnote: { text: string; link?: Link };
}

/** A piece of a sentence, in plain or in strong type. */
export type Span = string | { strong: string };

export interface Link {
  label: string;
  url: string;
}

export interface Fact {
  label: string;
  value: string;
  isLarge?: boolean;
}

/** The last line of every mail: who sells, as in the footer of every page. */
export const describeSender = ({ name, address }: Sender): string => [name, ...address].join(', ');

export interface Sender {
  name: string;
  address: readonly string[];
}

/** `render-html.ts` and `render-text.ts` add layout and escaping. */
export interface MailWords {
  subject: string;
  /** Mail programs show it after the subject. */
  preview: string;
  /** Top right, opposite the shop's name. */
  about: string;
  title: string;
  paragraphs: readonly (readonly Span[])[];
  action?: Link;
  /** Labels and values; a final amount is large. */
  facts: readonly Fact[];
  footnote: { text: string; link?: Link };
}

/** Plain or bold text. */
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

/** The last line of every mail. */
export const describeSender = ({ name, address, email }: Sender): string =>
  [name, ...address, ...(email === null ? [] : [email])].join(', ');

export interface Sender {
  name: string;
  address: readonly string[];
  email: string | null;
}

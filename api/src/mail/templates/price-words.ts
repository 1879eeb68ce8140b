import { formatCount } from '@parts-forge/contract/money/money';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import type { Product } from '@parts-forge/contract/products/products';
import type { MailWords } from './mail-words.ts';

export type MailedQuote = Pick<Quote, 'number' | 'state' | 'customer' | 'lines' | 'until' | 'answerNote'>;

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const formatDay = (day: string): string => days.format(new Date(day));

/** To administrators. @param origin of the shop, without a trailing slash */
export function quoteAskedWords({ number, customer, lines }: MailedQuote, origin: string): MailWords {
  const wishes = lines.filter(({ wished }) => wished !== undefined).length;
  const asked = ` asks for ${formatCount(lines.length, 'price')}`;
  return {
    subject: `Asked for prices: ${customer.name}`,
    preview: `${formatCount(lines.length, 'part')} to answer.`,
    about: `Q-${number}`,
    title: 'A customer asks for prices',
    paragraphs: [[{ strong: customer.name }, `${asked}${wishes > 0 ? ` and wishes ${wishes}` : ''}.`]],
    action: { label: 'Answer', url: `${origin}/dashboard/prices` },
    facts: [],
    footnote: { text: 'All administrators get this mail.' },
  };
}

export function quoteAnsweredWords(quote: MailedQuote, origin: string): MailWords {
  const { number, lines, state, until = '', answerNote } = quote;
  const isAnswered = state === 'answered';
  const parts = lines.filter(({ prices }) => prices.length > 0).length;
  const end = isAnswered ? formatDay(until) : '';
  return {
    subject: isAnswered ? `Your prices until ${end}` : 'Your request for prices was declined',
    preview: isAnswered ? `${formatCount(parts, 'part')} of Q-${number}.` : `Q-${number}.`,
    about: `Q-${number}`,
    title: isAnswered ? 'Your prices are here' : 'Your request for prices was declined',
    paragraphs: [
      isAnswered
        ? [
            `You have your own price for ${formatCount(parts, 'part')} until `,
            { strong: end },
            ', that day included.',
          ]
        : ['The prices of the list hold.'],
      ...(answerNote ? [[answerNote]] : []),
    ],
    action: { label: 'My prices', url: `${origin}/dashboard/my-prices` },
    facts: [],
    footnote: { text: 'Orders take them by themselves, where the price of the list is not lower.' },
  };
}

/** `until` is a day. */
export type EndingPrice = Pick<Product, 'name' | 'number'> & { until: string };

const MOST_LISTED = 100;

export function pricesEndingWords(
  prices: readonly [EndingPrice, ...EndingPrice[]],
  origin: string,
): MailWords {
  const [first] = prices;
  const parts = prices.length === 1 ? first.name : formatCount(prices.length, 'part');
  return {
    subject: `Your price ends on ${formatDay(first.until)}: ${parts}`,
    preview: 'Then the price of the list holds.',
    about: 'Prices',
    title: 'Prices end soon',
    paragraphs: [['Orders of the last day have them, too. Ask for new ones in time.']],
    action: { label: 'My prices', url: `${origin}/dashboard/my-prices` },
    facts: prices.slice(0, MOST_LISTED).map(({ name, number, until }) => ({
      label: `${name}, ${number}`,
      value: formatDay(until),
    })),
    footnote: { text: 'You get at most one such mail a day.' },
  };
}

import type { MailKind } from '@parts-forge/contract/events/mail-kinds';
import { endMail, type MailRow, noteMailError } from '#src/mail-outbox/store.ts';
import { trustedOrigins } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { MAX_ATTEMPTS } from '#src/platform/database/claim.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { createStopLink } from '#src/wishes/stop-token.ts';
import { deleteWishes } from '#src/wishes/store.ts';
import type { AccountMailKind } from './account-links.ts';
import { composeMail } from './compose-mail.ts';
import type { MailServices } from './mail-services.ts';
import { isObsolete, listNews, type MailFacts, readFacts } from './read-facts.ts';
import { MailRefused, type MailServer, type OutgoingMail } from './smtp.ts';
import { renderHtml } from './templates/render-html.ts';
import { renderText } from './templates/render-text.ts';

/** `retried`: the mail waits for its next attempt. */
export const MAIL_OUTCOMES = ['sent', 'retried', 'dead', 'dropped'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** In pixels: sharp on dense screens. */
export const LOGO_SIZE = 72;
const inlineLogo = { cid: 'logo', filename: 'logo.png', contentDisposition: 'inline' } as const;

/** A crash between the server's acceptance and its record repeats the mail with the same Message-ID. */
export async function sendMail(
  services: MailServices,
  server: MailServer,
  mail: MailRow,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const { config, database, clock } = services;
  let told: readonly string[] = [];
  try {
    const facts = await readFacts(database.db, mail, config);
    if (facts) told = listNews(facts).map(({ _id }) => _id);
    const outgoing = facts && !isObsolete(facts, clock.now()) ? await prepareMail(services, facts) : null;
    if (!outgoing) {
      await endMail(database.db, mail.id, 'dropped', clock.now());
      return 'dropped';
    }
    await server.send(outgoing, signal);
  } catch (error) {
    return noteFailure(services, mail, told, error, signal);
  }
  // First: after a crash between the two, a wish would be mailed again.
  await endWishes(database.db, mail, told);
  await endMail(database.db, mail.id, 'sent', clock.now());
  return 'sent';
}

/** One mail per wish; a part that sold out before waits for its next restock. */
async function endWishes(tx: Executor, { kind, userId }: MailRow, told: readonly string[]): Promise<void> {
  if (kind === 'back-in-stock') for (const part of told) await deleteWishes(tx, userId, part);
}

/** @returns null without content or link */
async function prepareMail(services: MailServices, facts: MailFacts): Promise<OutgoingMail | null> {
  const { config, database, accountLinks } = services;
  const { mail, user } = facts;
  const { kind } = mail;
  const account = isAccountMail(kind)
    ? await database.db.transaction((tx) => accountLinks.create(kind, user, tx))
    : '';
  const { email, name } = config.seller;
  const shopName = config.shop.name;
  const origin = readOrigin(config);
  const stop = kind === 'back-in-stock' ? await createStopLink(database.db, origin, user.id) : '';
  const words = account === null ? null : composeMail(facts, { origin, account, stop, shopName });
  if (!words) return null;
  const logo = await config.shop.logo?.draw(LOGO_SIZE);
  return {
    messageId: `<${mail.id}@${config.smtp?.from.address.split('@')[1] ?? 'localhost'}>`,
    // A stranger may have chosen an unverified name.
    to: { name: kind === 'address-verification' ? '' : user.name, address: user.email },
    ...(email !== null && { replyTo: { name, address: email } }),
    subject: words.subject,
    text: renderText(words, config.seller),
    html: renderHtml(words, config, logo ? 'cid:logo' : null),
    ...(logo && { attachments: [{ ...inlineLogo, content: logo }] }),
  };
}

/** Whether its link contains a secret. */
export const isAccountMail = (kind: MailKind): kind is AccountMailKind =>
  kind === 'address-verification' || kind === 'password-reset';

/** Origin of the mails' links, never taken from a request. */
export const readOrigin = (config: Pick<Config, 'origin' | 'port'>): string =>
  trustedOrigins(config)[0] ?? '';

async function noteFailure(
  { database, clock, ids, log }: MailServices,
  mail: MailRow,
  told: readonly string[],
  error: unknown,
  signal: AbortSignal,
): Promise<MailOutcome> {
  const isRefused = error instanceof MailRefused;
  const reason = isRefused ? error.reason : 'internal';
  const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts, reason };
  // The server's text may contain an address.
  if (!isRefused) log.error({ err: error, ...about }, 'a mail could not be written');
  const isDead = (isRefused && error.isFinal) || mail.attempts >= MAX_ATTEMPTS;
  if (!isDead || signal.aborted) {
    await noteMailError(database.db, mail.id, reason);
    if (isRefused) log.warn(about, 'a mail was not taken; it is tried again');
    return 'retried';
  }
  await database.db.transaction(async (tx) => {
    const now = clock.now();
    if (!(await endMail(tx, mail.id, 'dead', now, reason))) return;
    // After an outage the next round asks for another.
    if (isRefused && error.isFinal) await endWishes(tx, mail, told);
    await writeEntry(tx, {
      id: ids.next(),
      now,
      event: 'mail-undeliverable',
      userId: mail.userId,
      orderId: mail.orderId ?? undefined,
      productId: mail.productId ?? undefined,
      after: { mail: mail.id, kind: mail.kind, reason },
    });
  });
  log.error(about, 'a mail was given up');
  return 'dead';
}

import type { MailPreview } from '@parts-forge/contract/events/mail';
import { findMail } from '#src/mail-outbox/store.ts';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import { composeMail } from './compose-mail.ts';
import { readFacts } from './read-facts.ts';
import { LOGO_SIZE, readOrigin } from './send-mail.ts';
import { renderHtml } from './templates/render-html.ts';
import { renderText } from './templates/render-text.ts';

/** Replaces the secret: an administrator could act as the recipient. */
const HIDDEN = '/hidden-from-administrators';

/**
 * Renders the mail as of now.
 * @throws Problem `not-found` when the mail or its subject no longer exists
 */
export async function previewMail(
  db: Drizzle,
  config: Pick<Config, 'origin' | 'port' | 'seller' | 'shop' | 'timeZone'>,
  id: string,
): Promise<MailPreview> {
  const mail = await findMail(db, id);
  const facts = mail && (await readFacts(db, mail, config));
  const origin = readOrigin(config);
  const hidden = origin + HIDDEN;
  const words =
    facts && composeMail(facts, { origin, account: hidden, stop: hidden, shopName: config.shop.name });
  if (!words) throw new Problem('not-found');
  return {
    subject: words.subject,
    text: renderText(words, config.seller),
    html: renderHtml(words, config, await embedLogo(config)),
  };
}

/** @returns a data address; null for a shop without its own logo */
export async function embedLogo({ shop }: Pick<Config, 'shop'>): Promise<string | null> {
  const picture = await shop.logo?.draw(LOGO_SIZE);
  return picture ? `data:image/png;base64,${picture.toString('base64')}` : null;
}

import * as z from 'zod/mini';
import { firebase } from './firebase.ts';
import { isLoopback, type ServerConfig } from './server.ts';
import {
  choice,
  crossCheck,
  isServerAddress,
  matching,
  percentEncoding,
  type SettingsGroup,
  secret,
  setTogether,
  setting,
  type Values,
} from './setting.ts';

export interface MailAddress {
  name: string;
  address: string;
}

const mailbox =
  /^(?:(?<name>[^<>"\p{Cc}]{1,80}?)\s*<(?<inBrackets>[^\s<>@:;,()]+@[^\s<>@:;,().]+(?:\.[^\s<>@:;,().]+)+)>|(?<bare>[^\s<>@:;,()]+@[^\s<>@:;,().]+(?:\.[^\s<>@:;,().]+)+))$/u;

const settings = {
  SMTP_URL: secret(
    'Mail server, `smtp://user:password@host:587` or `smtps://user:password@host:465`. Requires `MAIL_FROM`. Without it the shop sends nothing, and administrators can read the waiting mails.',
    z.optional(
      z
        .string()
        .check(
          z.refine(
            isSmtpUrl,
            `must be an address such as smtps://user:password@host:465; ${percentEncoding}`,
          ),
        ),
    ),
  ),
  MAIL_FROM: setting(
    'Sender of every mail, such as `My Shop <shop@example.com>`. An address alone has the name of `SHOP_NAME`.',
    z.optional(matching(mailbox, 'must be an email address, or a name and an address in angle brackets.')),
  ),
  REQUIRE_VERIFIED_EMAIL: setting(
    '`on` accepts orders only from customers with a verified email: by a mailed link, Google or Firebase. Needs `SMTP_URL`, except with Firebase, which sends its own mails.',
    z._default(choice(['on', 'off']), 'off'),
  ),
};

const { SMTP_URL, MAIL_FROM, REQUIRE_VERIFIED_EMAIL } = settings;
const { FIREBASE_PROJECT_ID } = firebase.settings;

export const mail = {
  title: 'Mail',
  settings,
  checks: [
    setTogether({ SMTP_URL, MAIL_FROM }),
    crossCheck({ SMTP_URL, REQUIRE_VERIFIED_EMAIL, FIREBASE_PROJECT_ID }, (values) =>
      values.REQUIRE_VERIFIED_EMAIL === 'on' &&
      values.SMTP_URL === undefined &&
      values.FIREBASE_PROJECT_ID === undefined
        ? ['REQUIRE_VERIFIED_EMAIL=on needs SMTP_URL, as nobody could prove an address without mail.']
        : [],
    ),
  ],
} satisfies SettingsGroup;

export type MailConfig = ReturnType<typeof readMail>;

/** @param shopName for an address without a name */
export function readMail(values: Values<typeof settings>, shopName = '') {
  const { SMTP_URL: url, MAIL_FROM: from } = values;
  return {
    /** Null: administrators read the mails (`GET /mail`). */
    smtp: url === undefined || from === undefined ? null : { url, from: readMailbox(from, shopName) },
    requireVerifiedEmail: values.REQUIRE_VERIFIED_EMAIL === 'on',
  };
}

/** Mails leave this machine with localhost links, as `ORIGIN` is not set. */
export const mailsLocalLinks = ({ smtp, origin }: MailConfig & Pick<ServerConfig, 'origin'>): boolean =>
  smtp !== null && origin === null && !isLoopback(`http://${new URL(smtp.url).host}`);

function readMailbox(text: string, shopName: string): MailAddress {
  const { name = shopName, inBrackets, bare = '' } = mailbox.exec(text)?.groups ?? {};
  return { name, address: inBrackets ?? bare };
}

function isSmtpUrl(value: string): boolean {
  return isServerAddress(value, ['smtp:', 'smtps:']) && new URL(value).hostname !== '';
}

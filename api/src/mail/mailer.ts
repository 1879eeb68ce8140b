import { takeDueMails } from '#src/mail-outbox/store.ts';
import { mailsLocalLinks } from '#src/platform/core/config/mail.ts';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { createWorker } from '#src/platform/jobs/worker.ts';
import type { MailServices } from './mail-services.ts';
import { MAIL_OUTCOMES, type MailOutcome, sendMail } from './send-mail.ts';
import { type MailServer, openMailServer } from './smtp.ts';

/** Concurrent mails of one process. */
const AT_ONCE = 4;
/** For running mails when the shop closes. */
const CLOSE_MS = 5_000;

/**
 * Sends the outbox. Sends nothing without a mail server, nor as a restored copy: the original shop sends its mails
 * (docs/guides/backup.md).
 */
export function createMailer(services: MailServices) {
  const { config, copiedAt, changes, log, metrics } = services;
  const count = metrics ? measureMails(metrics) : () => {};
  const sender =
    config.smtp && copiedAt === null ? createSender(services, openMailServer(config.smtp), count) : null;
  let isStarted = false;

  changes.subscribe((changed) => {
    if (isStarted && (changed === 'all' || changed.has('mail'))) sender?.wake();
  });

  return {
    /** From now on, every process's mails are sent at commit. */
    start(): void {
      isStarted = true;
      if (sender && mailsLocalLinks(config)) {
        log.warn(
          'SMTP_URL without ORIGIN: the links of all mails lead to localhost, on the machine of the reader',
        );
      }
      sender?.wake();
    },
    /** Sends all due mails. Repeatable, also concurrently. */
    async sendDue() {
      const done = { sent: 0, retried: 0, dead: 0, dropped: 0 };
      for (const outcome of (await sender?.run()) ?? []) done[outcome] += 1;
      return done;
    },
    close: async () => sender?.close(),
  };
}

function createSender(services: MailServices, server: MailServer, count: (outcome: MailOutcome) => void) {
  const { clock, database, log } = services;
  return createWorker({
    claim: (limit) => takeDueMails(database.db, clock.now(), limit),
    async handle(mail, signal) {
      const outcome = await sendMail(services, server, mail, signal);
      count(outcome);
      return outcome;
    },
    atOnce: AT_ONCE,
    graceMs: CLOSE_MS,
    log,
    message: 'mails could not be sent; they are tried again',
  });
}

export function measureMails(metrics: Metrics): (outcome: MailOutcome) => void {
  const total = metrics.counter({
    name: 'shop_mail_attempts_total',
    help: 'Attempts to send a mail by outcome: sent, retried, dead (given up), dropped (outdated).',
    labelNames: ['outcome'],
  });
  for (const outcome of MAIL_OUTCOMES) total.inc({ outcome }, 0);
  return (outcome) => total.inc({ outcome });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { takeDueMails } from '#src/mail-outbox/store.ts';
import { mailsLocalLinks } from '#src/platform/core/config/mail.ts';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { requestContext, SYSTEM } from '#src/platform/core/request-context.ts';
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
  const { config, copiedAt, changes, log } = services;
  const server = config.smtp && copiedAt === null ? openMailServer(config.smtp) : null;
  const closing = new AbortController();
  const cutting = new AbortController();
  const rounds = createRounds(services, server, closing.signal, cutting.signal);
  const wake = server ? createWaker(rounds.sendDue, closing.signal, log) : () => {};
  let isStarted = false;

  changes.subscribe((changed) => {
    if (isStarted && (changed === 'all' || changed.has('mail'))) wake();
  });

  return {
    /** From now on, every process's mails are sent at commit. */
    start(): void {
      isStarted = true;
      if (server && mailsLocalLinks(config)) {
        log.warn(
          'SMTP_URL without ORIGIN: the links of all mails lead to localhost, on the machine of the reader',
        );
      }
      wake();
    },
    /** Sends all due mails after the current round. Repeatable, also concurrently. */
    sendDue: rounds.sendDue,
    /** Waits up to 5 s for running mails. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.race([rounds.end(), wait(CLOSE_MS, undefined, { ref: false })]);
      cutting.abort();
      await rounds.end();
    },
  };
}

/**
 * @param closing when aborted, no further mail is taken
 * @param cutting when aborted, running connections are cut
 */
function createRounds(
  services: MailServices,
  server: MailServer | null,
  closing: AbortSignal,
  cutting: AbortSignal,
) {
  const count = services.metrics ? measureMails(services.metrics) : () => {};
  let round: Promise<unknown> = Promise.resolve();

  async function sendRound() {
    const done = { sent: 0, retried: 0, dead: 0, dropped: 0 };
    if (!server) return done;
    for (;;) {
      if (closing.aborted) return done;
      const mails = await takeDueMails(services.database.db, services.clock.now(), AT_ONCE);
      if (mails.length === 0) return done;
      const outcomes = await Promise.all(mails.map((mail) => sendMail(services, server, mail, cutting)));
      for (const outcome of outcomes) {
        done[outcome] += 1;
        count(outcome);
      }
    }
  }

  return {
    /** Concurrent rounds would exceed the limit. */
    sendDue() {
      const next = round.then(sendRound);
      round = next.catch(() => undefined);
      return next;
    },
    end: () => round,
  };
}

/** @returns requests a round; requests during a round share one more */
function createWaker(send: () => Promise<unknown>, closing: AbortSignal, log: FastifyBaseLogger): () => void {
  let isAwake = false;
  let isAskedAgain = false;

  function wake(): void {
    if (closing.aborted) return;
    if (isAwake) {
      isAskedAgain = true;
      return;
    }
    isAwake = true;
    const context = { requestId: randomUUID(), actor: SYSTEM };
    void requestContext
      .run(context, send)
      .catch((error: unknown) => log.warn({ err: error }, 'mails could not be sent; they are tried again'))
      .finally(() => {
        isAwake = false;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        wake();
      });
  }
  return wake;
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

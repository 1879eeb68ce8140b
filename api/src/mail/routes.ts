import { listMail, type Mail, readMail } from '@parts-forge/contract/events/mail';
import type { FastifyInstance } from 'fastify';
import { findMails, type MailRow } from '#src/mail-outbox/store.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findPresentPeople, type PersonName } from '#src/users/store.ts';
import { previewMail } from './preview-mail.ts';

export function registerMail(app: FastifyInstance, { database: { db }, config }: Platform): void {
  serveList(app, listMail, async ({ query }) => {
    const page = await findMails(db, query);
    const people = await findPresentPeople(
      db,
      page.rows.map(({ userId }) => userId),
    );
    return { ...page, rows: page.rows.map((mail) => toMail(mail, people)) };
  });

  serveCall(app, readMail, ({ params: { id } }) => previewMail(db, config, id));
}

function toMail(mail: MailRow, people: ReadonlyMap<string, PersonName>): Mail {
  const { id, kind, userId, orderId, productId, state, attempts, lastError, endedAt } = mail;
  const person = people.get(userId);
  return {
    _id: id,
    kind,
    ...(person && { to: { _id: userId, ...person } }),
    state,
    attempts,
    ...(lastError !== null && { error: lastError }),
    ...(orderId !== null && { order: orderId }),
    ...(productId !== null && { product: productId }),
    createdAt: mail.createdAt.toISOString(),
    ...(endedAt === null
      ? { nextAttemptAt: mail.nextAttemptAt.toISOString() }
      : { endedAt: endedAt.toISOString() }),
  };
}

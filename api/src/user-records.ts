import { dropMailsTo } from './mail-outbox/store.ts';
import { countUnpaidOrders, findAllOrders } from './orders/store.ts';
import { deleteReviews, findReviewsByUser } from './reviews/store.ts';
import type { Services } from './services.ts';
import type { UserRecords } from './users/user-records.ts';

/** What the other domains keep about a person. */
export const createUserRecords = ({ identity }: Pick<Services, 'identity'>): UserRecords => ({
  countUnpaidOrders,
  findOrders: findAllOrders,
  findReviews: findReviewsByUser,
  deleteReviews,
  dropMails: dropMailsTo,
  async readSignIn(db, { identitySubject }) {
    const account = identitySubject === null ? null : await identity.readAccount?.(identitySubject, db);
    return account ?? { secondFactor: false, sessions: [] };
  },
});

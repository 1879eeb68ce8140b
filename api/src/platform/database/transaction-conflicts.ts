import pg from 'pg';

/** PostgreSQL's codes for a rollback after a conflict: deadlock, serialization failure. */
const conflicts = ['40P01', '40001'];
/** Drizzle and Better Auth wrap driver errors. */
const DEEPEST_CAUSE = 5;

/** The error or a cause of it is a rollback after a conflict. */
export function isTransactionConflict(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  if (error instanceof pg.DatabaseError && conflicts.includes(error.code ?? '')) return true;
  return isTransactionConflict(error.cause, depth + 1);
}

/**
 * Runs a whole transaction, and once more after a conflict, which has rolled it back.
 * @param transaction may run twice, so its second run must reset what it changes outside the database
 * @param onConflict called before the second run
 * @throws the second run's error, a conflict included
 */
export async function repeatAfterConflict<T>(
  transaction: () => Promise<T>,
  onConflict: () => void,
): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!isTransactionConflict(error)) throw error;
    onConflict();
    return transaction();
  }
}

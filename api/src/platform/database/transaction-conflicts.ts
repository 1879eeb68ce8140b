import pg from 'pg';

/** PostgreSQL's codes for deadlocks and serialization failures, which roll back. */
const conflicts = ['40P01', '40001'];
/** Drizzle and Better Auth wrap driver errors. */
const DEEPEST_CAUSE = 5;

export function isTransactionConflict(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  if (error instanceof pg.DatabaseError && conflicts.includes(error.code ?? '')) return true;
  return isTransactionConflict(error.cause, depth + 1);
}

/**
 * @param transaction must reset its changes outside the database, as it may run twice
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

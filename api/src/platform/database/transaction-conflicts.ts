import pg from 'pg';

/** PostgreSQL's codes for a transaction that it has rolled back as others were in its way: deadlock, serialization. */
const conflicts = ['40P01', '40001'];
/** Drizzle and Better Auth wrap what the driver throws. */
const DEEPEST_CAUSE = 5;

/** Whether an error, or what caused it, means that a transaction was rolled back as others were in its way. */
export function isTransactionConflict(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return false;
  if (error instanceof pg.DatabaseError && conflicts.includes(error.code ?? '')) return true;
  return isTransactionConflict(error.cause, depth + 1);
}

/**
 * Runs a whole transaction, and once more when others were in its way: nothing of it was written then.
 * @param transaction may run twice, so beside the database it changes nothing but what its second run sets anew
 * @param onConflict hears that it runs once more
 * @throws what the second run throws, a conflict included
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

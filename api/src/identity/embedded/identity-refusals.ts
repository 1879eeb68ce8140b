import { APIError } from 'better-auth/api';

/** The mount converts it to problem details. */
export const refuse = (
  message: string,
  code: string,
  status: 'BAD_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' = 'BAD_REQUEST',
) => new APIError(status, { message, code });

export const tooMany = (retryAfterSeconds: number) =>
  new APIError(
    'TOO_MANY_REQUESTS',
    { message: 'Too many requests. Please try again later.' },
    { 'X-Retry-After': String(retryAfterSeconds) },
  );

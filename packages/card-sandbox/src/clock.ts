/** The present moment; a test passes its own. */
export interface Clock {
  now(): Date;
}

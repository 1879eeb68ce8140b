/** A start error that the operator can fix. The message is whole sentences for them. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

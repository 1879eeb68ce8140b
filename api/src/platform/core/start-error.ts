/** The operator can fix it; the message is whole sentences for them. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

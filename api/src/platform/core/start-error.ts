/** The operator can fix it; the message is whole sentences. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Something the person who starts the shop can mend; the message is whole sentences for them. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

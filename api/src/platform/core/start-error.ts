/** Something the person who starts the shop can mend; the message is one whole sentence for them. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Something the person who starts the shop can mend; the message is one whole sentence for them. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

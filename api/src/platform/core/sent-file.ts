/** What a call whose body is a file has received. */
export interface SentFile {
  content: Buffer;
  /** Of the header; empty without one. */
  charset: string;
  /** The id of the person who sent it, also by a key. Each sender has one place in a lane of readers. */
  sender: string;
  /** Whether the caller has disconnected, as while others were read. */
  hasGone: () => boolean;
}

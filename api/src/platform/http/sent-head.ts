import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * The head of an answer as it was sent, to be sent again with another request's id and the time of then.
 *
 * Node checks and joins the headers of every answer anew, which takes a fifth of what a whole cached answer costs. What
 * it makes of them is a text that it keeps in `_header` until the body follows. That property is no documented part of
 * Node, but as old as `node:http`. Where it is missing or otherwise than expected, nothing is kept and the routes
 * answer; keep-alive, the order of answers and the end of connections stay Node's in any case.
 */
export interface SentHead {
  status: number;
  /** What stands before the id, between it and the date, and behind the date. */
  parts: readonly [string, string, string];
}

interface WrittenResponse extends ServerResponse {
  _header?: string | null;
}

/** @returns null for what cannot be repeated: one that was the last of its connection, or without the id or a date */
export function readSentHead(response: ServerResponse, requestId: string): SentHead | null {
  const { _header: text, statusCode: status, shouldKeepAlive } = response as WrittenResponse;
  if (typeof text !== 'string' || !shouldKeepAlive) return null;
  const [before, afterId, ...more] = text.split(requestId);
  const date = afterId && /\r\nDate: ([^\r]+)\r\n/.exec(afterId);
  if (before === undefined || !date || more.length > 0) return null;
  const [line, written = ''] = date;
  const end = date.index + line.length - '\r\n'.length;
  return {
    status,
    parts: [flatten(before), flatten(afterId.slice(0, end - written.length)), flatten(afterId.slice(end))],
  };
}

/**
 * Writes the head with an id of its own, for a response whose head is not written yet. The body, or an end without one,
 * has to follow at once.
 */
export function repeatHead(response: ServerResponse, { status, parts }: SentHead): void {
  response.statusCode = status;
  (response as WrittenResponse)._header = parts[0] + randomUUID() + parts[1] + writeDate() + parts[2];
}

/** A piece of a text is a view of the whole, which is slower to join and keeps the whole in memory. */
const flatten = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

let dateSecond = 0;
let date = '';

/** The time of day as HTTP has it (RFC 9110 §5.6.7), written once a second. */
function writeDate(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = new Date(now).toUTCString();
  }
  return date;
}

/**
 * The body of an answer, of which no more is read and kept in memory than may be.
 * @returns null when it is larger
 * @throws what the connection or the request's signal ended with
 */
export async function readBody(answer: Response, maxBytes: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

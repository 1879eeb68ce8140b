import { MAX_BULK_CHANGES } from '@parts-forge/contract/bounds';
import { type BulkChange, type BulkLine, changeProducts } from '@parts-forge/contract/stock';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { createIdempotencyKey } from '#app/calls/use-idempotency-key.ts';
import { type FileLine, readChanges } from './read-changes.ts';

/** A file that was chosen, dropped or pasted. */
export interface RestockFile {
  name: string;
  text: string;
}

/** A line of the file with what came of it, or would come of it; null where it could not be read. */
export interface CheckedLine extends FileLine {
  result: BulkLine | null;
}

/** What the file comes to, and when it was done. */
export interface CheckedFile {
  file: RestockFile;
  lines: readonly CheckedLine[];
  /** Sentences about what of it is not used. */
  notes: readonly string[];
  separator: string;
  /** Null while nothing is changed. */
  appliedAt: string | null;
}

/**
 * A file of changes: `check` asks the shop what it would come to, `apply` does it, `discard` forgets it. A file that is
 * applied once more after a broken connection is done once.
 */
export function useRestockFile() {
  const queries = useQueryClient();
  const [checked, setChecked] = useState<CheckedFile | null>(null);
  const check = useMutation({ mutationFn: checkFile, onSuccess: setChecked });
  const [keys] = useState(() => new Map<string, string>());
  const apply = useMutation({
    mutationFn: async (given: CheckedFile): Promise<CheckedFile> => ({
      ...given,
      lines: await applyLines(given.lines, (content) => {
        const key = keys.get(content) ?? createIdempotencyKey();
        keys.set(content, key);
        return key;
      }),
      appliedAt: new Date().toISOString(),
    }),
    onSuccess: (done) => {
      keys.clear();
      setChecked(done);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
  return {
    checked,
    error: check.error ?? apply.error,
    isChecking: check.isPending,
    isApplying: apply.isPending,
    check: (file: RestockFile) => {
      apply.reset();
      setChecked(null);
      check.mutate(file);
    },
    apply: () => {
      if (checked && !apply.isPending) apply.mutate(checked);
    },
    discard: () => {
      check.reset();
      apply.reset();
      setChecked(null);
    },
  };
}

async function checkFile(file: RestockFile): Promise<CheckedFile> {
  const { lines, ...read } = readChanges(file.text);
  const readable = lines.flatMap(({ change }) => change ?? []);
  const results = await sendChanges(readable, (changes) => callShop(changeProducts, { body: { changes } }));
  return { file, ...read, lines: joinResults(lines, results), appliedAt: null };
}

/** The good lines are made; a price only while the part still is as it was when it was shown. */
async function applyLines(
  lines: readonly CheckedLine[],
  getKey: (content: string) => string,
): Promise<CheckedLine[]> {
  const good = lines.filter(({ result }) => result?.ok);
  const wanted = good.flatMap(({ change, result }): BulkChange[] =>
    change ? [{ ...change, ...(change.price !== undefined && { version: result?.before?.version }) }] : [],
  );
  const results = await sendChanges(wanted, (changes) =>
    callShop(changeProducts, {
      body: { changes, apply: true },
      headers: { 'idempotency-key': getKey(JSON.stringify(changes)) },
    }),
  );
  const byLine = new Map(good.map(({ line }, index) => [line, results[index]]));
  return lines.map((each) => ({ ...each, result: byLine.get(each.line) ?? each.result }));
}

/** In as many calls as it takes, one after the other. */
async function sendChanges(
  changes: readonly BulkChange[],
  send: (part: BulkChange[]) => Promise<{ lines: BulkLine[] }>,
): Promise<BulkLine[]> {
  const results: BulkLine[] = [];
  for (let from = 0; from < changes.length; from += MAX_BULK_CHANGES) {
    results.push(...(await send(changes.slice(from, from + MAX_BULK_CHANGES))).lines);
  }
  return results;
}

function joinResults(lines: readonly FileLine[], results: readonly BulkLine[]): CheckedLine[] {
  const waiting = results.values();
  return lines.map((each) => ({ ...each, result: each.change ? (waiting.next().value ?? null) : null }));
}

/** Why a line is left out; null for one that is good. */
export const explainLine = ({ error, result }: CheckedLine): string | null =>
  error ?? result?.error?.detail ?? null;

import { MAX_BULK_CHANGES } from '@parts-forge/contract/bounds';
import { type BulkChange, type BulkLine, changeProducts } from '@parts-forge/contract/stock';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { createIdempotencyKey } from '#app/calls/use-idempotency-key.ts';
import { readTextFile } from '#app/ui/read-text-file.ts';
import { type FileLine, readChanges } from './read-changes.ts';

export interface RestockFile {
  name: string;
  text: string;
}

/** Files, of which one can be read, or text. */
export type Choice = readonly File[] | RestockFile;

/** A line with its real or expected result; null when unreadable. */
export interface CheckedLine extends FileLine {
  result: BulkLine | null;
}

export interface CheckedFile {
  file: RestockFile;
  lines: readonly CheckedLine[];
  /** Sentences about unused content. */
  notes: readonly string[];
  separator: string;
  /** Null before it is applied. */
  appliedAt: string | null;
}

/**
 * `check` asks the shop for the expected result. A retry of `apply` after a broken connection applies once.
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
    check: (choice: Choice) => {
      apply.reset();
      setChecked(null);
      check.mutate(choice);
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

async function checkFile(choice: Choice): Promise<CheckedFile> {
  const file = 'text' in choice ? choice : { name: choice[0]?.name ?? '', text: await readTextFile(choice) };
  const { lines, ...read } = readChanges(file.text);
  const readable = lines.flatMap(({ change }) => change ?? []);
  const results = await sendChanges(readable, (changes) => callShop(changeProducts, { body: { changes } }));
  return { file, ...read, lines: joinResults(lines, results), appliedAt: null };
}

/** Changes a price only if the part is unchanged since it was shown. */
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

/** Several calls, one after the other. */
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

/** Null for a good line. */
export const explainLine = ({ error, result }: CheckedLine): string | null =>
  error ?? result?.error?.detail ?? null;

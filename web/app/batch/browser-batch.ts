/**
 * The batch as this browser knows it: the list of a visitor, kept here until somebody signs in, and how many lines the
 * list of whoever is signed in had when it was last seen. Small and without the contract's schemas, as the bar of every
 * page needs it.
 */

export interface KeptLine {
  productId: string;
  /** Pieces. */
  quantity: number;
}

/** A visitor's list. `join` names it: the shop takes it over once. */
export interface BrowserBatch {
  join: string;
  lines: readonly KeptLine[];
}

const LIST_KEY = 'batch';
const COUNT_KEY = 'batch-lines';

const listeners = new Set<() => void>();

/** Calls `listener` after every change, of other tabs too. Returns how to stop. */
export function subscribeToBatch(listener: () => void): () => void {
  forgetAddress();
  listeners.add(listener);
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === LIST_KEY || key === COUNT_KEY) listener();
  };
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

/** The list that waits for a sign-in; null when it is empty. */
export function readBrowserBatch(): BrowserBatch | null {
  const kept = readJson(LIST_KEY) as Partial<BrowserBatch> | null;
  if (typeof kept?.join !== 'string' || !Array.isArray(kept.lines)) return null;
  const lines = kept.lines.filter(isLine);
  return lines.length > 0 ? { join: kept.join, lines } : null;
}

/** Adds pieces of a part to the list of a visitor. */
export function addToBrowserBatch({ productId, quantity }: KeptLine): void {
  const kept = readBrowserBatch();
  const lines = kept?.lines ?? [];
  const known = lines.find((line) => line.productId === productId);
  const others = lines.filter((line) => line !== known);
  const added = { productId, quantity: quantity + (known?.quantity ?? 0) };
  // A new name with each change, so that the shop takes over what was added after a takeover whose answer got lost.
  store(LIST_KEY, { join: makeId(), lines: [...others, added] });
}

/** Forgets the list that was taken over, unless it has grown meanwhile. */
export function forgetBrowserBatch({ join }: BrowserBatch): void {
  if (readBrowserBatch()?.join === join) store(LIST_KEY, null);
}

/** How many lines the saved list of an account had when it was last seen here. */
export function readLineCount(account: string): number {
  const kept = readJson(COUNT_KEY) as { account?: unknown; lines?: unknown } | null;
  return kept !== null && kept.account === account && typeof kept.lines === 'number' ? kept.lines : 0;
}

export function storeLineCount(account: string, lines: number): void {
  if (readLineCount(account) !== lines) store(COUNT_KEY, { account, lines });
}

/** Earlier versions told accounts apart by their addresses, which a browser that others use must not keep. */
function forgetAddress(): void {
  const kept = readJson(COUNT_KEY) as { email?: unknown } | null;
  if (kept?.email !== undefined) store(COUNT_KEY, null);
}

/** A UUID of random bits. `crypto.randomUUID` would need a secure context. */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

const isLine = (line: Partial<KeptLine> | null): line is KeptLine =>
  typeof line?.productId === 'string' && typeof line.quantity === 'number';

function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function store(key: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage a visitor has no list.
  }
  for (const listener of listeners) listener();
}

import type { LiveProduct } from '@parts-forge/contract/products/live';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

export interface LiveState {
  /** `off` before the first event and while the window is hidden. */
  connection: 'off' | 'live' | 'lost';
  /** When the connection was lost; null while it is not. */
  lostAt: Date | null;
  /** Undefined before the first event, null for a part that is no longer sold. */
  now: LiveProduct | null | undefined;
}

const initialState: LiveState = { connection: 'off', lostAt: null, now: undefined };
/** The wait doubles with each refusal. */
const RETRY_MS = { first: 5_000, last: 60_000 };

/** docs/reference/calls.md, "GET /live". The component needs the part's id as its key. */
export function useProductStream(id: string): LiveState {
  const [state, setState] = useState(initialState);
  useEffect(() => followProduct(id, setState), [id]);
  return state;
}

/**
 * Streams while the window is visible and online. After a refusal the browser does not reconnect, so a timer
 * does.
 * @returns closes the stream
 */
function followProduct(id: string, setState: Dispatch<SetStateAction<LiveState>>): () => void {
  if (!('EventSource' in globalThis)) return () => {};
  let source: EventSource | null = null;
  let refusals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();

  const note = (now: LiveProduct | null) => {
    refusals = 0;
    setState({ connection: 'live', lostAt: null, now });
  };
  const lose = () =>
    setState((state) =>
      state.connection === 'lost' ? state : { ...state, connection: 'lost', lostAt: new Date() },
    );
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const fail = () => {
    lose();
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(update, Math.min(RETRY_MS.last, RETRY_MS.first * 2 ** refusals));
    refusals += 1;
  };
  const update = () => {
    if (document.visibilityState !== 'hidden' && navigator.onLine) {
      clearTimeout(timer);
      source ??= openStream(id, note, fail);
      return;
    }
    close();
    setState((state) => (state.connection === 'live' ? { ...state, connection: 'off' } : state));
  };
  const { signal } = ended;
  document.addEventListener('visibilitychange', update, { signal });
  addEventListener('online', update, { signal });
  addEventListener('offline', lose, { signal });
  addEventListener('offline', update, { signal });
  update();
  return () => {
    ended.abort();
    close();
  };
}

function openStream(id: string, note: (now: LiveProduct | null) => void, fail: () => void): EventSource {
  const source = new EventSource(`/live?products=${encodeURIComponent(id)}`);
  source.addEventListener('product', ({ data }) => note(JSON.parse(data)));
  source.addEventListener('gone', () => note(null));
  source.addEventListener('error', fail);
  return source;
}

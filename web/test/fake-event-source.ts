import { act } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

type Listener = (event: { data: string }) => void;

/** A stream of events that the test sends. */
export class FakeEventSource {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Every opened stream, in order. */
  static opened: FakeEventSource[] = [];
  readonly url: string;
  readyState = FakeEventSource.CONNECTING;
  #listeners = new Map<string, Listener[]>();

  constructor(url: string) {
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  static getOpen(): FakeEventSource[] {
    return FakeEventSource.opened.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED);
  }

  addEventListener(name: string, listener: Listener): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  send(name: string, data: object): void {
    this.readyState = FakeEventSource.OPEN;
    act(() => this.#tell(name, JSON.stringify(data)));
  }

  /** The connection breaks, and the browser reconnects. */
  break(): void {
    this.readyState = FakeEventSource.CONNECTING;
    act(() => this.#tell('error', ''));
  }

  /** The shop refuses, and the browser gives up. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    act(() => this.#tell('error', ''));
  }

  #tell(name: string, data: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener({ data });
  }
}

export function fakeEventSources(): typeof FakeEventSource {
  beforeEach(() => {
    FakeEventSource.opened = [];
    vi.stubGlobal('EventSource', FakeEventSource);
  });
  afterEach(() => vi.unstubAllGlobals());
  return FakeEventSource;
}

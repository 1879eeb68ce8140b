// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire gave and says itself what it must be.
export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text as it came. */
  body: Body;
}

export interface RequestOptions {
  method?: string;
  token?: string | null | undefined;
  /** Sent as JSON; a form as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

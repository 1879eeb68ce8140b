// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire gave and says itself what it must be.
export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  /** Parsed JSON, otherwise the text. */
  body: Body;
}

export interface RequestOptions {
  method?: string;
  token?: string | null | undefined;
  /** JSON, or a form or file unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

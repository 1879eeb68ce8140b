interface AnsweringShop {
  handle(method: string, address: string, headers: Headers, body: FormData | Blob): Promise<Response>;
}

/** Only the part that an upload needs, answered by the fake shop. */
export const createFakeXMLHttpRequest = (shop: AnsweringShop) =>
  class {
    readonly upload: { onprogress?: (event: object) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    status = 0;
    responseType = '';
    response: unknown = null;
    #method = '';
    #address = '';
    #headers = new Headers();

    open(method: string, address: string): void {
      this.#method = method;
      this.#address = address;
    }

    getResponseHeader(name: string): string | null {
      return this.#headers.get(name);
    }

    async send(body: FormData | Blob): Promise<void> {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 });
      try {
        const answer = await shop.handle(this.#method, this.#address, new Headers(), body);
        this.status = answer.status;
        this.#headers = answer.headers;
        this.response = this.responseType === 'json' ? await answer.json() : await answer.text();
      } catch {
        this.onerror?.();
        return;
      }
      this.onload?.();
    }
  };

import { createContext } from 'react-router';

/** What a loader on the server is given beside the request. */
export interface ServerContext {
  /** Makes a call of the contract without leaving the process: `/product?limit=3`. */
  call: (path: string) => Promise<Response>;
  /** The shop's public origin; null when none is set, then nothing absolute is written into pages. */
  origin: string | null;
}

/** Whether a whole document is asked for, and not the data of a page for a navigation in the browser. */
export const documentContext = createContext(false);

export const serverContext = createContext<ServerContext>();

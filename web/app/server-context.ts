import { createContext } from 'react-router';

/** The server's context for loaders. */
export interface ServerContext {
  /** Calls the contract in the same process: `/product?limit=3`. */
  call: (path: string) => Promise<Response>;
  /** The shop's public origin; null when unset, and then pages contain no absolute address. */
  origin: string | null;
}

/** Whether the request is for a document, not for the data of a navigation. */
export const documentContext = createContext(false);

export const serverContext = createContext<ServerContext>();

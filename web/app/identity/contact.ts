import type { PageConfig } from '@parts-forge/contract/identity';
import { useRouteLoaderData } from 'react-router';

interface Contact {
  /** Where the seller can be written to; null where the settings name no address. */
  contactEmail: string | null;
  /** A link for a new password comes by mail; else an administrator makes one. */
  mail: boolean;
  /** Who sells and the lines of where; null where the shop could not say. */
  seller: NonNullable<PageConfig['seller']> | null;
}

/** How the shop can be reached, as the server renders it into every page (`GET /config`). */
export function useContact(): Contact {
  return useRouteLoaderData<Contact>('root') ?? { contactEmail: null, mail: true, seller: null };
}

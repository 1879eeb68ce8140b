import type { PageConfig } from '@parts-forge/contract/people/identity';
import { useRouteLoaderData } from 'react-router';

interface Contact {
  /** Null if the settings name no address. */
  contactEmail: string | null;
  /** Reset links come by mail; otherwise an administrator creates them. */
  mail: boolean;
  /** Name and address lines; null if unknown. */
  seller: NonNullable<PageConfig['seller']> | null;
}

/** From the root loader, which puts `GET /config` into every page. */
export function useContact(): Contact {
  return useRouteLoaderData<Contact>('root') ?? { contactEmail: null, mail: true, seller: null };
}

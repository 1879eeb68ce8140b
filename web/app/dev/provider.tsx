import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SignedInUser } from '#app/identity/signed-in-user.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import { administrator, customer } from './sample-data.ts';

interface ProviderProps {
  as?: typeof customer;
  /** Fills the query cache. */
  seed?: (client: QueryClient) => void;
  children: ReactNode;
}

/** Unseeded queries stay loading. */
export function Provider({ as = customer, seed, children }: ProviderProps) {
  const [client] = useState(() => {
    const made = new QueryClient({ defaultOptions: { queries: { enabled: false, staleTime: 'static' } } });
    for (const user of [customer, administrator])
      made.setQueryData(userQueryOptions(user.email).queryKey, user);
    seed?.(made);
    return made;
  });
  return (
    <SignedInUser value={{ id: as._id, email: as.email, displayName: as.name }}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </SignedInUser>
  );
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SignedInUser } from '#app/identity/signed-in-user.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import { administrator, customer } from './sample-data.ts';

interface ProviderProps {
  /** Who is signed in. */
  as?: typeof customer;
  /** What the page knows of the shop already. */
  seed?: (client: QueryClient) => void;
  children: ReactNode;
}

/** What pages behind the guard stand in, with a shop that is never asked: what is not seeded stays loading. */
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

import { addWish, readWish, removeWish } from '@parts-forge/contract/products/wishes';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { retryWithFreshProof } from '#app/calls/retry-with-fresh-proof.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { Button } from '#app/ui/button.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

interface OwnWishProps {
  productId: string;
  email: string;
  label: string;
  size: 'action' | 'row';
}

export default function OwnWish({ productId, email, label, size }: OwnWishProps) {
  const params = { id: productId };
  const queryKey = ['wish', email, productId];
  // The part's page is outside the client's provider.
  const user = useQuery(userQueryOptions(email), queryClient);
  const role = user.data?.role;
  const wish = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => callShop(readWish, { params, signal, whenSignedOut: 'stay' }),
      enabled: role === 'user',
    },
    queryClient,
  );
  const change = useMutation(
    {
      mutationFn: async (isWanted: boolean) =>
        isWanted
          ? retryWithFreshProof(() => callShop(addWish, { params }))
          : callShop(removeWish, { params }),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    },
    queryClient,
  );
  if (role === 'admin') return null;
  const isWaiting = wish.data?.waiting ?? false;
  return (
    <div
      className={`grid ${size === 'row' ? 'justify-items-start gap-1 pb-2' : 'gap-3'} ${wish.isPending && !user.isError ? 'invisible' : ''}`}
    >
      <FormError error={change.error} />
      <p aria-live="polite" aria-atomic="true" className="text-sm text-muted empty:hidden">
        {isWaiting && 'You get one mail when it can be ordered again.'}
      </p>
      <Button
        kind="line"
        size={size}
        busy={change.isPending}
        busyLabel={isWaiting ? 'Stopping…' : 'Asking…'}
        onClick={() => change.mutate(!isWaiting)}
      >
        {isWaiting ? 'Do not tell me' : label}
      </Button>
    </div>
  );
}

import { addWish, readWish, removeWish } from '@parts-forge/contract/wishes';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { retryWithFreshProof } from '#app/calls/retry-with-fresh-proof.ts';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { SendVerificationMail } from '#app/identity/send-verification-mail.tsx';
import { Button } from '#app/ui/button.tsx';

interface OwnWishProps {
  productId: string;
  email: string;
  /** Of the button that asks. */
  label: string;
}

export default function OwnWish({ productId, email, label }: OwnWishProps) {
  const params = { id: productId };
  const queryKey = ['wish', email, productId];
  // The part's page is outside the client's provider.
  const wish = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => callShop(readWish, { params, signal, whenSignedOut: 'stay' }),
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
  // Administrators order nothing.
  if (getProblemCode(wish.error) === 'customers-only') return null;
  const isWaiting = wish.data?.waiting ?? false;
  return (
    <div className={`grid gap-3 ${wish.isPending ? 'invisible' : ''}`}>
      {change.error && <WishError error={change.error} email={email} />}
      <p role="status" className="text-sm text-muted empty:hidden">
        {isWaiting && 'You get one mail when it can be ordered again.'}
      </p>
      <Button
        kind="line"
        busy={change.isPending}
        busyLabel={isWaiting ? 'Stopping…' : 'Asking…'}
        onClick={() => change.mutate(!isWaiting)}
      >
        {isWaiting ? 'Do not tell me' : label}
      </Button>
    </div>
  );
}

function WishError({ error, email }: { error: Error; email: string }) {
  if (getProblemCode(error) !== 'email-not-verified') {
    return <FormError error={error}>{describeError(error)}</FormError>;
  }
  return (
    <FormError>
      <p className="[overflow-wrap:anywhere]">
        Confirm your address first. Open the link that we mailed to {email}, then press again.
      </p>
      <SendVerificationMail email={email} className="mt-3" />
    </FormError>
  );
}

import { paymentFailed } from '@parts-forge/contract/calls/messages';
import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Lock } from 'lucide';
import { type ComponentProps, type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { RetryNotice } from '#app/errors/retry-notice.tsx';
import { useTheme } from '#app/layout/theme.ts';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { buildCardAppearance, listCardFonts } from './card-appearance.ts';
import { paymentProviderQueryOptions, paymentQueryOptions } from './queries.ts';
import { useCardTyping } from './use-card-typing.ts';

/** Typed to return any node, which could be a bare text. */
const PaymentForm = Elements as (props: ComponentProps<typeof Elements>) => ReactElement;
const PaymentFields = PaymentElement as (props: ComponentProps<typeof PaymentElement>) => ReactElement;

interface CardPanelProps {
  orders: readonly Order[];
  busy: boolean;
  /** The last attempt's error, or null. */
  error: string | null;
  attempt: (ask: () => Promise<PaymentIntentResult>) => Promise<void>;
  /** Called when another card is typed. */
  onChange: () => void;
}

export function CardPanel({ orders, ...paying }: CardPanelProps) {
  const theme = useTheme();
  const { accent } = useShop();
  const config = useQuery(configQueryOptions());
  const provider = useQuery(paymentProviderQueryOptions());
  const payment = useQuery(paymentQueryOptions(orders));
  const failed = payment.error ? payment : provider.error ? provider : null;
  return (
    <>
      {config.data?.payments.mode === 'sandbox' && (
        <Banner kind="info" className="mb-5 text-sm">
          Sandbox: no money moves. Test card <span className="whitespace-nowrap">4242 4242 4242 4242</span>.
        </Banner>
      )}
      <h2 className="display mb-5 text-h4">Card</h2>
      {failed ? (
        <RetryNotice error={failed.error} busy={failed.isFetching} onRetry={() => failed.refetch()}>
          {failed === provider
            ? 'The card form could not be loaded. Check your connection and try again.'
            : describeError(failed.error)}
        </RetryNotice>
      ) : payment.data && provider.data ? (
        <PaymentForm
          // A mounted form ignores a changed secret.
          key={payment.data.clientSecret}
          stripe={provider.data}
          options={{
            clientSecret: payment.data.clientSecret,
            appearance: buildCardAppearance(theme, accent),
            fonts: listCardFonts(),
          }}
        >
          <CardForm orders={orders} {...paying} />
        </PaymentForm>
      ) : (
        <FieldsSkeleton />
      )}
    </>
  );
}

function CardForm({ orders, busy, error, attempt, onChange }: CardPanelProps) {
  const confirm = useConfirmPayment(getPaymentPath(orders));
  const typing = useCardTyping(onChange);
  const online = useOnline();
  // "Pay now" means the card, which saves a phone one tap.
  const isCardFirst = useLocation().state?.card === true;
  const [fields, setFields] = useState<'loading' | 'ready' | 'failed'>('loading');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm && fields === 'ready') void attempt(confirm);
  };
  if (fields === 'failed') return <FieldsFailed />;
  return (
    <form className="grid gap-5" noValidate onSubmit={submit}>
      {/* One grid cell, so that nothing moves when the fields replace the skeleton. */}
      <div className="grid grid-cols-[minmax(0,1fr)] *:[grid-area:1/1]">
        {fields === 'loading' && <FieldsSkeleton />}
        <PaymentFields
          options={{ wallets: { applePay: 'never', googlePay: 'never', link: 'never' } }}
          onReady={(element) => {
            setFields('ready');
            if (isCardFirst) element.focus();
          }}
          {...typing}
          onLoadError={() => setFields('failed')}
        />
      </div>
      {error !== null && <PaymentError message={error} />}
      <Button
        kind="primary"
        type="submit"
        className="w-full"
        busy={busy}
        busyLabel="Paying…"
        disabled={!online || fields !== 'ready'}
      >
        {`Pay ${formatAmount(sumOrders(orders))}`}
      </Button>
      <p className="flex items-center gap-2 text-sm text-muted">
        <Icon of={Lock} className="size-4 shrink-0" />
        The card number goes to the payment provider only; we never see it.
      </p>
    </form>
  );
}

const FieldsFailed = () => (
  <RetryNotice error={null} busy={false} onRetry={() => location.reload()}>
    The card form could not be loaded. Check your connection and try again.
  </RetryNotice>
);

/** Null until the provider's script is ready. */
function useConfirmPayment(returnPath: string): (() => Promise<PaymentIntentResult>) | null {
  const stripe = useStripe();
  const elements = useElements();
  if (!stripe || !elements) return null;
  return () =>
    stripe.confirmPayment({
      elements,
      confirmParams: { return_url: `${location.origin}${returnPath}` },
      redirect: 'if_required',
    });
}

/** The provider's words (specification §8). */
export function PaymentError({ message }: { message: string }) {
  const frame = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The bars at the top may cover the message.
    frame.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <p ref={frame} role="alert" className="flex gap-2 font-medium text-error">
      <Icon of={CircleAlert} className="mt-0.5 size-5 shrink-0" />
      <span>{paymentFailed(message)}</span>
    </p>
  );
}

function FieldsSkeleton() {
  return (
    <div className="grid gap-5" aria-busy="true">
      <p className="sr-only" role="status">
        Loading the card form…
      </p>
      <Skeleton className="h-[4.75rem] w-full !rounded-field" />
      <div className="grid grid-cols-2 gap-4">
        <Skeleton className="h-[4.75rem] w-full !rounded-field" />
        <Skeleton className="h-[4.75rem] w-full !rounded-field" />
      </div>
    </div>
  );
}

import type { QueryClient } from '@tanstack/react-query';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { CardPanel, PaymentError } from '#app/payments/card-panel.tsx';
import { OrdersSummary } from '#app/payments/orders-summary.tsx';
import {
  OrderCancelled,
  PaymentAlreadyDone,
  PaymentProcessing,
  PaymentReplaced,
  PaymentSucceeded,
  SomePaidAlready,
} from '#app/payments/payment-result.tsx';
import { paymentQueryOptions } from '#app/payments/queries.ts';
import { aConfig } from '../builders.ts';
import type { Example } from '../example.ts';
import { Provider } from '../provider.tsx';
import { failure, ignore, paidOrder, requestId, unpaidOrder } from '../sample-data.ts';

const attempt = async () => {};
const paid = { orders: [unpaidOrder], transactionId: 'pi_3QkWvL2eZvKYlo2C' };

const panel = (seed: (client: QueryClient) => void) => (
  <Provider seed={seed}>
    <CardPanel orders={[unpaidOrder]} busy={false} error={null} onChange={() => {}} attempt={attempt} />
  </Provider>
);
const seedSandbox = (client: QueryClient) =>
  client.setQueryData(configQueryOptions().queryKey, aConfig({ mode: 'sandbox' }));
const seedFailure = (client: QueryClient) => {
  const { queryKey } = paymentQueryOptions([unpaidOrder]);
  client.getQueryCache().build(client, { queryKey }).setState({ status: 'error', error: failure });
};

export const payments: readonly Example[] = [
  { name: 'Card form, loading', render: () => panel(ignore) },
  { name: 'Card form of the sandbox, loading', render: () => panel(seedSandbox) },
  { name: 'Card form that could not be opened', render: () => panel(seedFailure) },
  { name: 'Declined', render: () => <PaymentError message="Your card was declined." /> },
  { name: 'Processing', render: () => <PaymentProcessing onLook={ignore} /> },
  { name: 'Succeeded', render: () => <PaymentSucceeded {...paid} isRecorded requestId={null} /> },
  {
    name: 'Succeeded, not recorded yet',
    render: () => <PaymentSucceeded {...paid} isRecorded={false} requestId={requestId} />,
  },
  {
    name: 'Some paid already',
    render: () => <SomePaidAlready orders={[unpaidOrder, paidOrder]} takeFocus={false} />,
  },
  { name: 'Replaced', render: () => <PaymentReplaced onOpen={ignore} /> },
  { name: 'Orders paid together', render: () => <OrdersSummary orders={[unpaidOrder, paidOrder]} /> },
  { name: 'Already done', render: () => <PaymentAlreadyDone order={paidOrder} takeFocus={false} /> },
  { name: 'Cancelled', render: () => <OrderCancelled refunded={false} /> },
  { name: 'Cancelled and refunded', render: () => <OrderCancelled refunded /> },
];

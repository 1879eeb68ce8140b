import { GoogleLogo } from '#app/identity/google-logo.tsx';
import { QuantityGauge } from '#app/orders/purchase/quantity-gauge.tsx';
import { TransactionId } from '#app/orders/transaction-id.tsx';
import { ProductPicture } from '#app/products/product-picture.tsx';
import { EmailText } from '#app/ui/email-text.tsx';
import { Logo } from '#app/ui/logo.tsx';
import { MissingPicture } from '#app/ui/missing-picture.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { type ChipStatus, StatusChip } from '#app/ui/status-chip.tsx';
import type { Example } from '../example.ts';
import { product } from '../sample-data.ts';

const statuses: readonly ChipStatus[] = ['unpaid', 'pending', 'paid', 'Shipped', 'stop'];
const gauge = (pieces: number) => <QuantityGauge pieces={pieces} product={product} rangeId="range" />;

export const signs: readonly Example[] = [
  {
    name: 'StatusChip',
    render: () => (
      <div className="dev-row">
        {statuses.map((status) => (
          <StatusChip key={status} status={status}>
            {status === 'stop' ? 'Out of stock' : status}
          </StatusChip>
        ))}
      </div>
    ),
  },
  {
    name: 'Stars',
    render: () => (
      <div className="dev-stack">
        {[1, 2.5, 4, 5].map((value) => (
          <Stars key={value} value={value} />
        ))}
      </div>
    ),
  },
  { name: 'QuantityGauge at the minimum order', render: () => gauge(50) },
  { name: 'QuantityGauge between', render: () => gauge(1000) },
  { name: 'QuantityGauge below the minimum order', render: () => gauge(10) },
  { name: 'QuantityGauge above the stock', render: () => gauge(30_000) },
  { name: 'QuantityGauge of an empty field', render: () => gauge(0) },
  { name: 'TransactionId', render: () => <TransactionId id="pi_3QkWvL2eZvKYlo2C1Xy0Zabc" /> },
  { name: 'EmailText', render: () => <EmailText email="amara.okafor@workshop.fieldrepair.example" /> },
  {
    name: 'ProductPicture and MissingPicture',
    render: () => (
      <div className="dev-row">
        <span className="pf-tile size-20">
          <ProductPicture image={product.image} alt="Mainboard" sizes="5rem" />
        </span>
        <span className="pf-tile size-20">
          <MissingPicture label="No picture" />
        </span>
      </div>
    ),
  },
  {
    name: 'Logo and GoogleLogo',
    render: () => (
      <div className="dev-row">
        <Logo />
        <GoogleLogo />
      </div>
    ),
  },
];

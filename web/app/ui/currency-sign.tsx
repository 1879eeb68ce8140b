import { shopCurrency } from '@parts-forge/contract/money/currency';

/** Stands in front of an amount's field. */
export function CurrencySign() {
  return (
    <span className="text-muted" aria-hidden="true">
      {shopCurrency().symbol}
    </span>
  );
}

import { formatAmount } from '@parts-forge/contract/money/money';
import type { UserSummary } from '@parts-forge/contract/people/users';
import { Fact } from '#app/ui/fact.tsx';

/** Totals of the customer's orders. */
export function CustomerTotals({ summary: { paid, waiting, unpaid, refunded } }: { summary: UserSummary }) {
  const totals = [
    ['Paid in all', paid],
    ['Waiting for acceptance', waiting],
    ['Unpaid', unpaid],
    ['Refunded', refunded],
  ] as const;
  return (
    <section className="pf-panel" aria-label="Totals">
      <dl className="pf-block">
        {totals.map(([name, amount]) => (
          <Fact key={name} name={name}>
            {formatAmount(amount)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

import { formatPieces, formatSigned, toAmount, toCents } from '@parts-forge/contract/money';
import type { Proof, ProofSource } from '@parts-forge/contract/overview';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide';
import { useId } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { LoadError } from '#app/errors/load-error.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { nameMonth } from './months.ts';
import { proofQueryOptions } from './queries.ts';

const sources: Record<ProofSource, { name: string; meaning: string }> = {
  orders: { name: 'Orders', meaning: 'paid and refunded' },
  papers: { name: 'Papers', meaning: 'invoices less credit notes' },
  payments: { name: 'Payments', meaning: 'as the shop wrote them' },
  provider: { name: 'Provider', meaning: 'as the card provider lists them' },
  stock: { name: 'Stock', meaning: 'pieces sold less refunded' },
};

/** Says whether the sums can be trusted. */
export function ProofPanel({ month }: { month: string }) {
  const id = useId();
  const proof = useQuery(proofQueryOptions(month));
  const timeZone = useShopTimeZone();
  if (proof.error && !proof.data) {
    return (
      <div className="mt-6">
        <LoadError
          what="The proof"
          error={proof.error}
          busy={proof.isFetching}
          onRetry={() => proof.refetch()}
        />
      </div>
    );
  }
  if (!proof.data) return <Skeleton className="mt-6 h-[23rem] w-full !rounded-box xl:h-[11.5rem]" />;
  const differing = listDiffering(proof.data);
  return (
    <section className="pf-panel pf-proof mt-6" aria-labelledby={id}>
      <div className="top">
        <h2 id={id} className="display text-h4">
          Proof
        </h2>
        <p className="num text-sm text-muted">
          <Verdict proof={proof.data} differing={differing.size} />
          {`, as of ${formatMoment(new Date(proof.dataUpdatedAt).toISOString(), timeZone)}`}
        </p>
      </div>
      <ul>
        {proof.data.sums.map(({ source, received, refunded, pieces }) => (
          <li key={source} {...(differing.has(source) && { 'data-bad': '' })}>
            <Icon of={differing.has(source) ? CircleAlert : CircleCheck} className="size-5 shrink-0" />
            <span>
              <b>{sources[source].name}</b>
              <span>{sources[source].meaning}</span>
            </span>
            <span className="num">
              {source === 'stock'
                ? `${formatPieces(pieces)} pieces`
                : formatSigned(toAmount(toCents(received) - toCents(refunded)))}
            </span>
          </li>
        ))}
      </ul>
      {proof.data.differences.length > 0 && (
        <div className="why">
          {proof.data.differences.map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole.
            <Difference key={index} {...difference} />
          ))}
        </div>
      )}
    </section>
  );
}

const listDiffering = ({ differences }: Proof): ReadonlySet<ProofSource> =>
  new Set(differences.filter(({ month }) => month === undefined).map(({ source }) => source));

const numbers = ['None', 'One', 'Two', 'Three', 'Four', 'Five'];

function Verdict({ proof: { sums }, differing }: { proof: Proof; differing: number }) {
  const all = numbers[sums.length]?.toLowerCase();
  if (differing === 0) return <span>{`All ${all} agree`}</span>;
  const verb = differing === 1 ? 'differs' : 'differ';
  return <span className="font-medium text-error">{`${numbers[differing]} of ${all} ${verb}`}</span>;
}

function Difference({ order, number, part, source, what, is, wanted, month }: Proof['differences'][number]) {
  const format = what === 'pieces' ? formatPieces : formatSigned;
  const place = sources[source].name;
  return (
    <p>
      {month === undefined
        ? `${place}: ${format(is)} ${what} instead of ${format(wanted)}`
        : `${place}: ${format(wanted)} ${what} is dated in ${nameMonth(month)} there`}
      {order !== null && number !== null && (
        <>
          {', '}
          <Link className="pf-link num font-medium" to={`/dashboard/order/${order}`}>
            {`order ${number}`}
          </Link>
        </>
      )}
      {part !== undefined && (
        <>
          {', '}
          <Link className="pf-link font-medium" to={`/dashboard/manage-products/${part}/stock`}>
            stock ledger
          </Link>
        </>
      )}
      {order === null && part === undefined && ', for no order of this shop'}.
    </p>
  );
}

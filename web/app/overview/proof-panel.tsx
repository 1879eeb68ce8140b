import { formatPieces, formatSigned, toAmount, toCents } from '@parts-forge/contract/money/money';
import type { LatestProof, Proof, ProofSource } from '@parts-forge/contract/orders/overview';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide';
import { useId } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
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
  const proof = useQuery(proofQueryOptions(month));
  return (
    <QueryPanel
      // It may fail after an answer that it goes on.
      query={proof.error && proof.data?.running ? { ...proof, data: undefined } : proof}
      what="The proof"
      skeleton={<Skeleton className="h-[23rem] w-full !rounded-box xl:h-[11.5rem]" />}
    >
      {(data) => <Comparison proof={data} />}
    </QueryPanel>
  );
}

function Comparison({ proof }: { proof: LatestProof }) {
  const id = useId();
  const timeZone = useShopTimeZone();
  const differing = listDiffering(proof);
  return (
    <section className="pf-panel overflow-clip" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-6 pb-4 pt-5">
        <h2 id={id} className="display text-h4">
          Proof
        </h2>
        <p className="num text-sm text-muted" aria-live="polite">
          {proof.provedAt && (
            <>
              <Verdict proof={proof} differing={differing.size} />
              {`, as of ${formatMoment(proof.provedAt, timeZone)}`}
            </>
          )}
          {proof.running && (proof.provedAt ? '. Comparing again…' : 'Comparing… This can take a minute.')}
        </p>
      </div>
      {proof.provedAt === null && <Skeleton className="h-[18.5rem] w-full xl:h-[7rem]" />}
      <ul className="grid divide-base-300 border-t border-base-300 max-xl:divide-y xl:grid-cols-5 xl:divide-x">
        {proof.sums.map((sums) => (
          <Sum key={sums.source} {...sums} differs={differing.has(sums.source)} />
        ))}
      </ul>
      {proof.differences.length > 0 && (
        <div className="border-t border-base-300 px-6 py-3.5">
          {proof.differences.map((difference, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole.
            <Difference key={index} {...difference} />
          ))}
        </div>
      )}
    </section>
  );
}

type SumProps = Proof['sums'][number] & { differs: boolean };

/** A line when narrow, a cell when wide. */
function Sum({ source, received, refunded, pieces, differs }: SumProps) {
  const { name, meaning } = sources[source];
  return (
    <li
      className={`grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 px-4 py-3 max-xl:items-center xl:grid-cols-[auto_minmax(0,1fr)] xl:content-start xl:py-4 ${differs ? 'bg-error/6' : ''}`}
    >
      <Icon
        of={differs ? CircleAlert : CircleCheck}
        className={`size-5 ${differs ? 'text-error' : 'text-success'}`}
      />
      <span className="grid">
        <b className="font-semibold leading-5">{name}</b>
        <span className="text-micro text-muted">{meaning}</span>
      </span>
      <span className={`num font-semibold xl:col-start-2 xl:mt-2 ${differs ? 'text-error' : ''}`}>
        {source === 'stock'
          ? `${formatPieces(pieces)} pieces`
          : formatSigned(toAmount(toCents(received) - toCents(refunded)))}
      </span>
    </li>
  );
}

const listDiffering = ({ differences }: LatestProof): ReadonlySet<ProofSource> =>
  new Set(differences.filter(({ month }) => month === undefined).map(({ source }) => source));

const numbers = ['None', 'One', 'Two', 'Three', 'Four', 'Five'];

function Verdict({ proof: { sums }, differing }: { proof: LatestProof; differing: number }) {
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
        : `${place}: ${format(is || wanted)} ${what} is dated in ${nameMonth(month)} there`}
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

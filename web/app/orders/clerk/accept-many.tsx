import { formatAmount } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import { FileText } from 'lucide';
import { useId, useState } from 'react';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { sumOrders } from '#app/orders/sum-orders.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { AcceptProgress } from './use-accept-many.ts';
import { type Acceptance, isAcceptable } from './use-acceptance.tsx';

/** Selects and accepts pending orders. Hidden when there are none. */
export function AcceptMany({ orders, acceptance }: { orders: readonly Order[]; acceptance: Acceptance }) {
  const [isAsked, setAsked] = useState(false);
  const online = useOnline();
  const { chosen, choose, many } = acceptance;
  const acceptable = orders.filter(isAcceptable);
  const picked = acceptable.filter(({ _id }) => chosen.has(_id));
  if (acceptable.length === 0 && many.progress === null) return null;
  const accept = () => {
    setAsked(false);
    void many.start(picked);
  };
  return (
    <div className="mb-4 flex min-h-11 flex-wrap items-center gap-x-6 gap-y-3">
      {acceptable.length > 0 && (
        <ChooseAll
          count={acceptable.length}
          picked={picked.length}
          onChange={(all) => choose(all ? acceptable : [])}
        />
      )}
      {picked.length > 0 && (
        <Button
          kind="strong"
          size="bar"
          disabled={!online}
          busy={many.isRunning}
          busyLabel="Accepting…"
          onClick={() => setAsked(true)}
        >
          Accept {countPayments(picked.length)}
        </Button>
      )}
      {picked.length > 0 && (
        <DownloadButton
          file={{ what: 'invoices', orders: picked.map(({ _id }) => _id), as: 'zip' }}
          icon={FileText}
        >
          Papers
        </DownloadButton>
      )}
      <p role="status" className="num text-sm text-muted">
        {many.progress ? describeProgress(many.progress, many.isRunning) : ''}
      </p>
      {isAsked && <AcceptQuestion orders={picked} onClose={() => setAsked(false)} onConfirm={accept} />}
    </div>
  );
}

interface AcceptQuestionProps {
  orders: readonly Order[];
  onClose: () => void;
  onConfirm: () => void;
}

function AcceptQuestion({ orders, onClose, onConfirm }: AcceptQuestionProps) {
  const payments = countPayments(orders.length);
  return (
    <ConfirmDialog
      title={`Accept ${payments}?`}
      safe="Not yet"
      confirm={`Accept ${payments}`}
      kind="primary"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {formatAmount(sumOrders(orders))} in all. The shop asks the payment provider about each. Those that it
      confirms count as shipped, and their customers get a mail. Each line shows its result.
    </ConfirmDialog>
  );
}

interface ChooseAllProps {
  count: number;
  picked: number;
  onChange: (all: boolean) => void;
}

function ChooseAll({ count, picked, onChange }: ChooseAllProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-8 cursor-pointer items-center gap-3 text-sm">
      <input
        id={id}
        ref={(box) => {
          if (box) box.indeterminate = picked > 0 && picked < count;
        }}
        type="checkbox"
        className="checkbox checkbox-neutral size-6 rounded-[3px]"
        checked={picked === count}
        onChange={(event) => onChange(event.target.checked)}
      />
      {picked > 0 ? `${picked} of ${count} chosen` : `Choose all ${count} listed to accept`}
    </label>
  );
}

const countPayments = (count: number) => `${count} ${count === 1 ? 'payment' : 'payments'}`;

function describeProgress({ total, accepted, refused }: AcceptProgress, isRunning: boolean): string {
  if (isRunning) return `${accepted + refused} of ${total} done`;
  return `${accepted} accepted${refused > 0 ? `, ${refused} not: see the lines` : ''}`;
}

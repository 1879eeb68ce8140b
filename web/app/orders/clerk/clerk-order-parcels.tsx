import { MAX_CARRIER, MAX_PARCEL_NUMBER } from '@parts-forge/contract/bounds';
import { describeBox } from '@parts-forge/contract/box';
import { CARRIERS } from '@parts-forge/contract/carriers';
import { readDay } from '@parts-forge/contract/days';
import { readPieces } from '@parts-forge/contract/number-text';
import type { Order } from '@parts-forge/contract/orders';
import { findDespite, type Shipment } from '@parts-forge/contract/shipments';
import { useId, useState } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { ParcelList } from '#app/orders/parcel-list.tsx';
import { explainHold, findCaution } from '#app/orders/pick-list/order-shipping.ts';
import { useAddParcel, useRemoveParcel } from '#app/orders/queries.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { FormDialog } from './form-dialog.tsx';
import { beginSentDay } from './read-parcels.ts';

/** The parcels of an accepted order. */
export function ClerkOrderParcels({ order }: { order: Order }) {
  const { shipments = [] } = order;
  const [isAdding, setAdding] = useState(false);
  const [mistake, setMistake] = useState<Shipment | null>(null);
  const removal = useRemoveParcel(order._id);
  return (
    <Panel heading="Parcels" className="mt-6">
      {removal.error && <FormError error={removal.error}>{describeError(removal.error)}</FormError>}
      <p className="num text-muted">{explainHold(order) ?? `${describeBox(order)}.`}</p>
      {findCaution(order) && <p className="mt-1 font-medium">{findCaution(order)?.advice}</p>}
      <ParcelList
        parcels={shipments}
        action={(parcel) => (
          <Button
            kind="danger-line"
            size="row"
            aria-label={`Remove ${parcel.carrier} ${parcel.number}`}
            onClick={() => setMistake(parcel)}
          >
            Remove
          </Button>
        )}
      />
      <Button kind="line" size="bar" className="mt-4" onClick={() => setAdding(true)}>
        Add parcel
      </Button>
      {isAdding && <AddParcel id={order._id} onClose={() => setAdding(false)} />}
      {mistake && (
        <ConfirmDialog
          title="Remove this parcel?"
          safe="Keep parcel"
          confirm="Remove parcel"
          busy={removal.isPending}
          onClose={() => setMistake(null)}
          onConfirm={() => removal.mutate(mistake._id, { onSettled: () => setMistake(null) })}
        >
          <bdi>
            {mistake.carrier} {mistake.number}
          </bdi>{' '}
          leaves the order. A mail that was sent stays sent.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function AddParcel({ id, onClose }: { id: string; onClose: () => void }) {
  const listId = useId();
  const timeZone = useShopTimeZone();
  const add = useAddParcel(id);
  const despite = findDespite(getProblemCode(add.error));
  const send = ({ carrier = '', number = '', sentAt: day = '', quantity: pieces = '' }) => {
    const sentAt = beginSentDay(day, timeZone);
    const quantity = pieces.trim() === '' ? undefined : readPieces(pieces);
    add.mutate({ carrier, number, sentAt, quantity, despite }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Add parcel"
      confirm={despite ? 'Add it all the same' : 'Add parcel'}
      state={add}
      onClose={onClose}
      onSend={send}
    >
      {(field) => (
        <>
          <Field
            label="Carrier"
            list={listId}
            maxLength={MAX_CARRIER}
            data-focus-first
            {...field('carrier')}
          />
          <datalist id={listId}>
            {CARRIERS.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Field
            label="Parcel number"
            maxLength={MAX_PARCEL_NUMBER}
            autoComplete="off"
            hint="The customer gets a mail with it."
            {...field('number')}
          />
          <Field
            label="Date sent"
            type="date"
            defaultValue={readDay(new Date(), timeZone)}
            {...field('sentAt')}
          />
          <Field label="Pieces in it (optional)" inputMode="numeric" {...field('quantity')} />
        </>
      )}
    </FormDialog>
  );
}

import type { Role } from '@parts-forge/contract/calls/policies';
import type { Key } from '@parts-forge/contract/people/keys';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmChange } from '#app/forms/confirm-change.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { ConnectionsPanel } from './connections-panel.tsx';
import { Codes } from './dialog-parts.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { keysQueryOptions, useEndKey } from './queries.ts';

export function KeysPanel({ role }: { role: Role }) {
  const query = useQuery(keysQueryOptions);
  const [open, setOpen] = useState<Key | 'new' | null>(null);
  const close = () => setOpen(null);
  return (
    <ConnectionsPanel
      heading="Keys"
      about="A program uses a key in place of a sign-in. It may do what its scopes say, and never more than its maker."
      button="New key"
      onNew={() => setOpen('new')}
      query={query}
      empty="No program has a key."
      columns={listColumns(setOpen)}
    >
      {open === 'new' && <NewKeyDialog role={role} onClose={close} />}
      {open !== null && open !== 'new' && <EndDialog of={open} onClose={close} />}
    </ConnectionsPanel>
  );
}

const listColumns = (onEnd: (key: Key) => void) => [
  { head: 'Name', cell: ({ name }: Key) => <bdi>{name}</bdi> },
  {
    head: 'Key',
    cell: ({ hint }: Key) => <span className="num whitespace-nowrap text-muted">pfk_…{hint}</span>,
  },
  { head: 'May', cell: ({ scopes }: Key) => <Codes codes={scopes} /> },
  { head: 'Made by', cell: ({ madeBy }: Key) => <bdi>{madeBy}</bdi> },
  { head: 'Last used', cell: ({ usedAt }: Key) => (usedAt ? formatMoment(usedAt) : 'never') },
  { head: 'Ends', cell: ({ expiresAt }: Key) => (expiresAt ? formatDay(expiresAt, 'UTC') : 'no end') },
  {
    head: 'Action',
    actions: true,
    cell: (key: Key) => (
      <Button kind="danger-line" size="row" aria-label={`End the key ${key.name}`} onClick={() => onEnd(key)}>
        End
      </Button>
    ),
  },
];

const EndDialog = ({ of: { _id, name }, onClose }: { of: Key; onClose: () => void }) => (
  <ConfirmChange
    title={<bdi>End the key “{name}”?</bdi>}
    safe="Keep key"
    confirm="End key"
    change={useEndKey()}
    input={_id}
    onClose={onClose}
  >
    Programs that use it are refused at once.
  </ConfirmChange>
);

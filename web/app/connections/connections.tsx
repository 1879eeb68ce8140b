import { prefetch } from '#app/calls/prefetch.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { useRole } from '#app/identity/signed-in-user.ts';
import guide from '../../../docs/guides/connect-your-erp.md?url';
import { KeysPanel } from './keys-panel.tsx';
import { keysQueryOptions } from './queries.ts';
import { WebhooksPanel } from './webhooks-panel.tsx';

export const clientLoader = () => prefetch(keysQueryOptions);

/** Shows the shop's programs, or a customer's own. */
export default function Connections() {
  const role = useRole();
  return (
    <>
      {role === 'admin' ? (
        <PageHeading
          title="Connections"
          actions={
            <a className="pf-link inline-flex min-h-8 items-center text-sm" href={guide}>
              Connect your ERP
            </a>
          }
        />
      ) : (
        <PageHeading title="Keys" />
      )}
      <div className="grid gap-6">
        <KeysPanel role={role} />
        {role === 'admin' && <WebhooksPanel />}
      </div>
    </>
  );
}

import { stopPagePath, stopWishes } from '@parts-forge/contract/products/wishes';
import { useEffect, useState } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { useLinkToken } from '#app/identity/link-token.ts';
import { DeadLink, SignInLayout } from '#app/identity/sign-in-layout.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { Button } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'Stop mails about stock',
  description: 'Wait for no part any longer.',
  path: stopPagePath,
  isHidden: true,
});

/** Opening the link stops nothing, as mail scanners open links. */
export default function StopMails() {
  const token = useLinkToken();
  const [busy, setBusy] = useState(false);
  const [isStopped, setStopped] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const stop = async () => {
    setBusy(true);
    setError(null);
    await callShop(stopWishes, { body: { token: token ?? '' } }).then(() => setStopped(true), setError);
    setBusy(false);
  };
  useEffect(() => {
    // The button is gone, and the focus with it.
    if (isStopped) focusHeading();
  }, [isStopped]);
  return (
    <SignInLayout title="Stop mails about stock" error={error}>
      {token === null ? (
        <DeadLink>This link is incomplete. Open it again as you received it.</DeadLink>
      ) : isStopped ? (
        <Banner kind="info" className="mt-6">
          Done. You wait for no part any longer. Mails about your orders still come.
        </Banner>
      ) : (
        <>
          <p className="mt-4 text-muted">
            You asked for a mail when a part can be ordered again. This ends it for all parts that you still
            wait for.
          </p>
          <Button kind="primary" className="mt-6" busy={busy} busyLabel="Stopping…" onClick={stop}>
            Stop these mails
          </Button>
        </>
      )}
    </SignInLayout>
  );
}

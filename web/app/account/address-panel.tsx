import { useQuery } from '@tanstack/react-query';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { SendVerificationMail } from '#app/identity/send-verification-mail.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { signedInQueryOptions } from './queries.ts';

/** Whether an address is confirmed, and the link that confirms it; the address alone while loading. */
export function AddressPanel({ email }: { email: string }) {
  const { data: signedIn } = useQuery(signedInQueryOptions(email));
  const { data: config } = useQuery(configQueryOptions());
  if (signedIn && signedIn.user.emailVerified === undefined) return null;
  const isKnown = signedIn !== undefined && config !== undefined;
  const isConfirmed = signedIn?.user.emailVerified === true;
  // Without mail nothing can be done about it.
  if (isKnown && !isConfirmed && !config.identity.mail) return null;
  return (
    <Panel
      heading="Email address"
      about={
        <span className="[overflow-wrap:anywhere]">
          {email}
          {isKnown && ` is ${isConfirmed ? 'confirmed.' : 'not confirmed yet.'}`}
        </span>
      }
    >
      {isKnown && !isConfirmed && <SendVerificationMail email={email} />}
    </Panel>
  );
}

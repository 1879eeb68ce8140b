import type { User } from '@parts-forge/contract/people/users';
import { useQuery } from '@tanstack/react-query';
import { AddressPanel } from './address-panel.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { GooglePassword } from './google-password.tsx';
import { MyData } from './my-data.tsx';
import { hasOnlyGoogleQueryOptions } from './queries.ts';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function AccountPanels({ user }: { user: User }) {
  const { email, role } = user;
  const { data: hasOnlyGoogle = false } = useQuery(hasOnlyGoogleQueryOptions(email));
  return (
    <div className="mt-6 grid items-start gap-6 xl:grid-cols-2">
      {hasOnlyGoogle ? <GooglePassword user={user} /> : <ChangePassword user={user} />}
      <AddressPanel email={email} />
      <Sessions email={email} />
      {role === 'admin' && <SecondFactor email={email} />}
      <MyData email={email} />
      <DeleteAccount user={user} />
    </div>
  );
}

import type { User } from '@parts-forge/contract/users';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { MyData } from './my-data.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

/** Everything that somebody can do about their own account, under their profile. */
export function AccountPanels({ user }: { user: User }) {
  const { email, role } = user;
  return (
    <div className="mt-6 grid items-start gap-6 xl:grid-cols-2">
      <ChangePassword user={user} />
      <Sessions email={email} />
      {role === 'admin' && <SecondFactor email={email} />}
      <MyData email={email} />
      <DeleteAccount user={user} />
    </div>
  );
}

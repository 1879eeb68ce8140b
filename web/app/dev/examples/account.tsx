import type { QueryClient } from '@tanstack/react-query';
import { AddressPanel } from '#app/account/address-panel.tsx';
import { BackupCodes } from '#app/account/backup-codes.tsx';
import { ChangePassword } from '#app/account/change-password.tsx';
import { DeleteAccount } from '#app/account/delete-account.tsx';
import { GooglePassword } from '#app/account/google-password.tsx';
import { MyData } from '#app/account/my-data.tsx';
import { sessionsQueryOptions, signedInQueryOptions } from '#app/account/queries.ts';
import { SecondFactorScan } from '#app/account/second-factor-scan.tsx';
import { SecondFactorState } from '#app/account/second-factor-state.tsx';
import { Sessions } from '#app/account/sessions.tsx';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { ForgottenPasswordForm } from '#app/identity/forgotten-password-form.tsx';
import { NewPasswordForm } from '#app/identity/new-password-form.tsx';
import { SecondFactorForm } from '#app/identity/second-factor-form.tsx';
import { aConfig, aSession } from '../builders.ts';
import type { Example } from '../example.ts';
import { Provider } from '../provider.tsx';
import { administrator, customer, ignore } from '../sample-data.ts';
import { SubmitOnMount } from '../submit-on-mount.tsx';

const { email, name } = customer;
const never = () => new Promise<void>(() => {});
const [here, phone, unknown] = [
  aSession(),
  aSession({ userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0' }),
  aSession({ userAgent: null, ipAddress: null }),
];
const totpURI =
  'otpauth://totp/Parts%20Forge:ines?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Parts%20Forge';
const codes = Array.from({ length: 10 }, (_, index) => `Ab3x${index}-Kq9Lm`);

const seedSessions = (sessions: (typeof here)[]) => (client: QueryClient) => {
  client.setQueryData(sessionsQueryOptions(email).queryKey, sessions);
  client.setQueryData(signedInQueryOptions(email).queryKey, {
    session: here,
    user: { id: 'account', email, name },
  });
};
const seedMail = (emailVerified: boolean) => (client: QueryClient) => {
  const config = aConfig();
  client.setQueryData(configQueryOptions().queryKey, {
    ...config,
    identity: { ...config.identity, mail: true },
  });
  const user = { id: 'account', email, name, emailVerified };
  client.setQueryData(signedInQueryOptions(email).queryKey, { session: here, user });
};
const address = (isConfirmed: boolean) => (
  <Provider seed={seedMail(isConfirmed)}>
    <AddressPanel email={email} />
  </Provider>
);
const changePassword = (
  <Provider>
    <ChangePassword user={customer} />
  </Provider>
);
const sessions = (seed?: (client: QueryClient) => void) => (
  <Provider {...(seed && { seed })}>
    <Sessions email={email} />
  </Provider>
);

export const account: readonly Example[] = [
  { name: 'Forgotten password', render: () => <ForgottenPasswordForm onSubmit={never} /> },
  { name: 'New password', render: () => <NewPasswordForm onSubmit={never} onError={ignore} /> },
  { name: 'Second factor, second step of the login', render: () => <SecondFactorForm onSubmit={never} /> },
  { name: 'ChangePassword', render: () => changePassword },
  { name: 'ChangePassword with its messages', render: () => <SubmitOnMount>{changePassword}</SubmitOnMount> },
  {
    name: 'GooglePassword',
    render: () => (
      <Provider seed={seedMail(true)}>
        <GooglePassword user={customer} />
      </Provider>
    ),
  },
  { name: 'AddressPanel, confirmed', render: () => address(true) },
  { name: 'AddressPanel, not confirmed', render: () => address(false) },
  { name: 'Sessions', render: () => sessions(seedSessions([here, phone, unknown])) },
  { name: 'Sessions, this browser alone', render: () => sessions(seedSessions([here])) },
  { name: 'Sessions, loading', render: () => sessions() },
  {
    name: 'SecondFactorState, off',
    render: () => <SecondFactorState isOn={false} isRequired={false} onChange={ignore} />,
  },
  {
    name: 'SecondFactorState, off where it is required',
    render: () => <SecondFactorState isOn={false} isRequired onChange={ignore} />,
  },
  {
    name: 'SecondFactorState, on',
    render: () => <SecondFactorState isOn isRequired={false} onChange={ignore} />,
  },
  {
    name: 'SecondFactorScan',
    render: () => (
      <Provider as={administrator}>
        <SecondFactorScan totpURI={totpURI} onConfirmed={ignore} onCancel={ignore} />
      </Provider>
    ),
  },
  { name: 'BackupCodes', render: () => <BackupCodes codes={codes} onDone={ignore} /> },
  {
    name: 'MyData',
    render: () => (
      <Provider>
        <MyData email={email} />
      </Provider>
    ),
  },
  {
    name: 'DeleteAccount',
    render: () => (
      <Provider>
        <DeleteAccount user={customer} />
      </Provider>
    ),
  },
  {
    name: 'DeleteAccount of an administrator',
    render: () => (
      <Provider as={administrator}>
        <DeleteAccount user={administrator} />
      </Provider>
    ),
  },
];

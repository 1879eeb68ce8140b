import { readConfig } from '@parts-forge/contract/people/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aConfig } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { watchSavedFiles } from '#test/saved-files.ts';

const shop = startFakeShop();
const enable = 'POST /identity/two-factor/enable';
const verify = 'POST /identity/two-factor/verify-totp';
const makeCodes = 'POST /identity/two-factor/generate-backup-codes';
const disable = 'POST /identity/two-factor/disable';

const totpURI = 'otpauth://totp/Parts%20Forge:ines?secret=ABCDEFGHIJKLMNOP&issuer=Parts+Forge';
const backupCodes = Array.from({ length: 10 }, (_, index) => `code-${index}`);

beforeEach(() => {
  shop.respond(enable, () => Response.json({ totpURI, backupCodes }));
  shop.respond(verify, () => {
    switchTo(true);
    return Response.json({ user: shop.identityUser });
  });
  shop.respond(makeCodes, () => Response.json({ backupCodes: ['another-code'] }));
  shop.respond(disable, () => {
    switchTo(false);
    return Response.json({ status: true });
  });
});

function switchTo(twoFactorEnabled: boolean) {
  if (shop.identityUser) shop.identityUser = { ...shop.identityUser, twoFactorEnabled };
}

async function openPanel(isOn = false) {
  shop.signIn('admin');
  switchTo(isOn);
  const page = await openPage('/dashboard/my-profile');
  const panel = within(await screen.findByRole('region', { name: 'Second factor' }));
  await panel.findByText(isOn ? 'On' : 'Off');
  return { ...page, panel };
}

async function givePassword({ user, panel }: Awaited<ReturnType<typeof openPanel>>, button: string) {
  await user.type(panel.getByLabelText('Your password'), 'a long password');
  await user.click(panel.getByRole('button', { name: button }));
}

test('the second factor is offered only to administrators', async () => {
  shop.signIn('user');
  await openPage('/dashboard/my-profile');
  await screen.findByRole('region', { name: 'Sessions' });
  expect(screen.queryByRole('region', { name: 'Second factor' })).not.toBeInTheDocument();
});

test('switching on takes password and code, and shows ten codes once', async () => {
  const page = await openPanel();
  const { user, panel } = page;
  await user.click(panel.getByRole('button', { name: 'Set up' }));
  expect(panel.getByLabelText('Your password')).toHaveFocus();
  await givePassword(page, 'Continue');
  expect(await panel.findByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  expect(panel.getByText('ABCD EFGH IJKL MNOP')).toBeVisible();
  expectLink('Open the app on this device', totpURI.replace('+', '%20'), panel);
  expect(shop.getRequests(enable)[0]?.body).toEqual({ password: 'a long password' });
  await user.type(panel.getByLabelText('Code'), '123 456');
  await user.click(panel.getByRole('button', { name: 'Switch on' }));
  const codes = await panel.findByRole('list', { name: 'Backup codes' });
  expect(
    within(codes)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(backupCodes);
  expect(shop.getRequests(verify)[0]?.body).toEqual({ code: '123456' });
  await user.click(panel.getByRole('button', { name: 'I have kept them' }));
  expect(await panel.findByText('On')).toBeVisible();
  expect(panel.queryByText('code-0')).not.toBeInTheDocument();
  expect(panel.getByRole('heading', { name: 'Second factor' })).toHaveFocus();
});

test('a wrong password appears under its field and prepares nothing', async () => {
  const page = await openPanel();
  await page.user.click(page.panel.getByRole('button', { name: 'Set up' }));
  shop.refuseIdentity(enable, 400, 'Invalid password', 'INVALID_PASSWORD');
  await givePassword(page, 'Continue');
  const password = page.panel.getByLabelText('Your password');
  await waitFor(() => expect(password).toHaveAccessibleDescription('Invalid password'));
  expect(page.panel.queryByRole('img')).not.toBeInTheDocument();
});

test('a wrong code appears under its field and keeps the sign-in', async () => {
  const page = await openPanel();
  const { user, panel } = page;
  await user.click(panel.getByRole('button', { name: 'Set up' }));
  await givePassword(page, 'Continue');
  shop.refuseIdentity(verify, 401, 'Invalid code', 'INVALID_CODE');
  await user.type(await panel.findByLabelText('Code'), '111111');
  await user.click(panel.getByRole('button', { name: 'Switch on' }));
  await waitFor(() => expect(panel.getByLabelText('Code')).toHaveAccessibleDescription('Invalid code'));
  expect(page.getAddress()).toBe('/dashboard/my-profile');
});

test('backup codes can be copied and saved', async () => {
  const page = await openPanel(true);
  const { user, panel } = page;
  const files = watchSavedFiles();
  await user.click(panel.getByRole('button', { name: 'New backup codes' }));
  await givePassword(page, 'Make new codes');
  await user.click(await panel.findByRole('button', { name: 'Copy codes' }));
  expect(await panel.findByRole('button', { name: 'Copied codes' })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('another-code');
  await user.click(panel.getByRole('button', { name: 'Download codes' }));
  expect(files.map(({ name }) => name)).toEqual(['backup-codes.txt']);
  expect(await files[0]?.blob.text()).toBe('another-code\n');
});

test('switching off takes the password', async () => {
  const page = await openPanel(true);
  await page.user.click(page.panel.getByRole('button', { name: 'Switch off' }));
  expect(page.panel.getByText(/The password alone is enough then/)).toBeVisible();
  await givePassword(page, 'Switch off');
  expect(await page.panel.findByText('Off')).toBeVisible();
  expect(shop.getRequests(disable)[0]?.body).toEqual({ password: 'a long password' });
});

test('a cancelled change has no effect', async () => {
  const { user, panel } = await openPanel(true);
  await user.click(panel.getByRole('button', { name: 'Switch off' }));
  await user.click(panel.getByRole('button', { name: 'Leave it as it is' }));
  expect(await panel.findByText('On')).toBeVisible();
  expect(shop.getRequests(disable)).toEqual([]);
});

test('a required second factor is announced until it is on', async () => {
  const config = aConfig();
  shop.answer(readConfig, { ...config, identity: { ...config.identity, adminSecondFactor: 'required' } });
  const { panel } = await openPanel();
  expect(await panel.findByText(/This shop requires a second factor of its administrators/)).toBeVisible();
});

import { readUser, updateProfile } from '@parts-forge/contract/people/users';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aUser } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const amara = aUser({ education: 'Diploma', linkdin: 'https://www.linkedin.com/in/amara' });

async function openProfile() {
  shop.signIn('user', amara);
  const page = await openPage('/dashboard/my-profile');
  await screen.findByRole('button', { name: 'Update profile' });
  return page;
}

const update = () => screen.getByRole('button', { name: 'Update profile' });
const education = () => screen.getByLabelText('Education');

test('the profile is shown and names missing values', async () => {
  await openProfile();
  const details = within(screen.getByRole('region', { name: 'Your details' }));
  expect(details.getByText('Amara Okafor')).toBeVisible();
  expectLink('linkedin.com/in/amara', amara.linkdin, details);
  expect(details.getAllByText('Not given yet')).toHaveLength(2);
});

test('a loading profile shows skeletons and says so', async () => {
  shop.signIn('user', amara);
  const release = shop.hold(readUser);
  await openPage('/dashboard/my-profile');
  expect(await screen.findByText('Loading…')).toBeInTheDocument();
  release();
  expect(await screen.findByRole('region', { name: 'Your details' })).toBeVisible();
});

test("an update is sent, shown and reported with 'profile updated successfully'", async () => {
  const { user } = await openProfile();
  shop.answer(updateProfile, { acknowledged: true });
  shop.answer(readUser, { ...amara, location: 'Accra, Ghana' });
  await user.type(screen.getByLabelText('Location'), 'Accra, Ghana');
  await user.click(update());
  expect(await screen.findByText('profile updated successfully')).toBeVisible();
  expect(shop.getSentBody(updateProfile)).toEqual({
    education: 'Diploma',
    location: 'Accra, Ghana',
    phone: '',
    linkdin: amara.linkdin,
    company: '',
    taxNumber: '',
    billingAddress: '',
    country: '',
  });
  expect(await screen.findByText('Accra, Ghana')).toBeVisible();
});

test('the company for invoices is sent and shown', async () => {
  const { user } = await openProfile();
  const company = {
    company: 'Mensah Ltd',
    taxNumber: 'GH1',
    billingAddress: '4 Ring Road\nAccra',
    country: 'GH',
  };
  shop.answer(updateProfile, { acknowledged: true });
  shop.answer(readUser, { ...amara, ...company, untaxed: { tax: 'exempt', reason: 'a charity' } });
  await user.type(screen.getByLabelText('Company'), company.company);
  await user.type(screen.getByLabelText('Tax number'), company.taxNumber);
  await user.type(screen.getByLabelText('Billing address'), company.billingAddress);
  await user.selectOptions(screen.getByLabelText('Country'), 'Ghana');
  await user.click(update());
  expect(await screen.findByText('Mensah Ltd')).toBeVisible();
  expect(shop.getSentBody(updateProfile)).toMatchObject(company);
  const details = within(screen.getByRole('region', { name: 'Your details' }));
  expect(details.getByText('Ghana')).toBeVisible();
  expect(details.getByText('Exempt: a charity')).toBeVisible();
});

test('a refused country is named at its field', async () => {
  const { user } = await openProfile();
  shop.refuse(updateProfile, 'invalid', {
    errors: [{ path: 'country', message: 'Must be a known country' }],
  });
  await user.selectOptions(screen.getByLabelText('Country'), 'Ghana');
  await user.click(update());
  expect(await screen.findByText('Must be a known country')).toBeVisible();
  expect(screen.getByLabelText('Country')).toHaveAccessibleDescription('Must be a known country');
});

test('a LinkedIn address without a scheme is completed', async () => {
  const { user } = await openProfile();
  shop.answer(updateProfile, { acknowledged: true });
  const linkdin = screen.getByLabelText('LinkedIn');
  await user.clear(linkdin);
  await user.type(linkdin, 'www.linkedin.com/in/amara');
  await user.click(update());
  expect(await screen.findByText('profile updated successfully')).toBeVisible();
  expect(shop.getSentBody(updateProfile)).toMatchObject({ linkdin: 'https://www.linkedin.com/in/amara' });
});

test('the LinkedIn field requires a URL, checked on leaving, then on changes', async () => {
  const { user } = await openProfile();
  const linkdin = screen.getByLabelText('LinkedIn');
  const message = 'Must be a link that begins with http:// or https://';
  expect(linkdin).toHaveAttribute('type', 'url');
  await user.clear(linkdin);
  await user.type(linkdin, 'amara');
  expect(screen.queryByText(message)).not.toBeInTheDocument();
  await user.tab();
  expect(await screen.findByText(message)).toBeVisible();
  expect(linkdin).toBeInvalid();
  await user.clear(linkdin);
  await waitFor(() => expect(screen.queryByText(message)).not.toBeInTheDocument());
});

test('the shop’s errors appear under their fields, the first focused', async () => {
  const { user } = await openProfile();
  shop.refuse(updateProfile, 'invalid', {
    errors: [
      { path: 'phone', message: 'Must be no more than 40 characters' },
      { path: 'education', message: 'Must be no more than 200 characters' },
    ],
  });
  await user.click(update());
  expect(await screen.findByText('Must be no more than 40 characters')).toBeVisible();
  expect(education()).toHaveAccessibleDescription('Must be no more than 200 characters');
  expect(education()).toHaveFocus();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a failed update names the failure and keeps the input', async () => {
  const { user } = await openProfile();
  shop.refuse(updateProfile, 'internal', { requestId: '0198c2f4-aaaa' });
  await user.clear(education());
  await user.type(education(), 'Master');
  await user.click(update());
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'Something went wrong on our side. What you typed is still here; try again.',
  );
  expect(alert).toHaveTextContent('Reference 0198c2f4-aaaa');
  expect(education()).toHaveValue('Master');
});

test("an ended sign-in shows 'No user is logged in', keeping the input", async () => {
  const { user, getAddress } = await openProfile();
  shop.refuse(updateProfile, 'sign-in-needed');
  shop.identityUser = null;
  await user.clear(education());
  await user.type(education(), 'Master');
  await user.click(update());
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('No user is logged in');
  expect(alert).toHaveTextContent('What you typed waits here.');
  expect(getAddress()).toBe('/dashboard/my-profile');
  expect(education()).toHaveValue('Master');
  await user.click(within(alert).getByRole('link', { name: 'Login' }));
  await waitFor(() => expect(getAddress()).toBe('/login?from=%2Fdashboard%2Fmy-profile'));
  // The same person returns in the same tab.
  shop.signIn('user', amara);
  await openPage('/dashboard/my-profile');
  expect(await screen.findByLabelText('Education')).toHaveValue('Master');
});

import { addReview } from '@parts-forge/contract/products/reviews';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const text = () => screen.getByLabelText('Review');
const submit = () => screen.getByRole('button', { name: 'Submit review' });
const stars = (rating: string) => screen.getByRole('radio', { name: `${rating} of 5 stars` });

async function openReview() {
  shop.signIn();
  const page = await openPage('/dashboard/my-reviews');
  await screen.findByLabelText('Review');
  return page;
}

test('the rating has half steps and arrow keys, and begins at 5.0', async () => {
  const { user } = await openReview();
  const ratings = within(screen.getByRole('radiogroup', { name: 'Rating' })).getAllByRole('radio');
  expect(ratings.map((radio) => radio.getAttribute('value'))).toEqual([
    '1.0',
    '1.5',
    '2.0',
    '2.5',
    '3.0',
    '3.5',
    '4.0',
    '4.5',
    '5.0',
  ]);
  expect(stars('5.0')).toBeChecked();
  await user.click(stars('5.0'));
  await user.keyboard('{ArrowLeft}');
  expect(stars('4.5')).toBeChecked();
  expect(screen.getByText('4.5', { selector: '[aria-live]' })).toBeVisible();
});

test('the text is required', async () => {
  const { user } = await openReview();
  await user.click(submit());
  expect(await screen.findByText('Review is Required')).toBeVisible();
  expect(text()).toHaveFocus();
  expect(text()).toHaveAttribute('maxlength', '1000');
});

test('a review is sent, and the form starts over', async () => {
  const { user } = await openReview();
  shop.answer(addReview, { insertedId: 'new' });
  await user.click(stars('4.5'));
  await user.type(text(), 'Consistent.');
  await user.click(submit());
  expect(await screen.findByText('Review submitted successfully.')).toBeVisible();
  expect(shop.getSentBody(addReview)).toEqual({
    email: 'amara@repair.example',
    name: 'Amara Okafor',
    rating: 4.5,
    description: 'Consistent.',
  });
  expect(text()).toHaveValue('');
  expect(stars('5.0')).toBeChecked();
});

test('pressing twice sends one review', async () => {
  const { user } = await openReview();
  shop.answer(addReview, { insertedId: 'new' });
  const release = shop.hold(addReview);
  await user.type(text(), 'Consistent.');
  await user.dblClick(submit());
  expect(await screen.findByRole('button', { name: 'Submitting…' })).toHaveAttribute('aria-busy', 'true');
  release();
  await screen.findByText('Review submitted successfully.');
  expect(shop.getRequests(addReview)).toHaveLength(1);
});

test("the server's error about the text appears under its field", async () => {
  const { user } = await openReview();
  shop.refuse(addReview, 'invalid', {
    errors: [{ path: 'description', message: 'Must be no more than 1000 characters' }],
  });
  await user.type(text(), 'Consistent.');
  await user.click(submit());
  expect(await screen.findByText('Must be no more than 1000 characters')).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a failed review names its reference and keeps the text', async () => {
  const { user } = await openReview();
  shop.refuse(addReview, 'internal', { requestId: '0198c2f4-4444' });
  await user.type(text(), 'Consistent.');
  await user.click(submit());
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('What you wrote is still here; try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-4444');
  expect(text()).toHaveValue('Consistent.');
});

test('a throttled review shows its delay, and the button counts down', async () => {
  const { user } = await openReview();
  shop.refuse(addReview, 'too-many', { retryAfter: 1 });
  await user.type(text(), 'Consistent.');
  await user.click(submit());
  expect(await screen.findByRole('button', { name: 'Submit review in 1 s' })).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Submit review' }, { timeout: 2000 })).toBeVisible();
});

test('a lost response says that the review may have arrived', async () => {
  const { user } = await openReview();
  shop.disconnect(addReview);
  await user.type(text(), 'Consistent.');
  await user.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent('No answer came: the review may have arrived.');
});

test('an expired session leads to /login and back to the entries', async () => {
  const page = await openReview();
  shop.refuse(addReview, 'sign-in-needed');
  shop.identityUser = null;
  await page.user.click(stars('4.5'));
  await page.user.type(text(), 'Consistent.');
  await page.user.click(submit());
  await waitFor(() => expect(page.getAddress()).toBe('/login?from=%2Fdashboard%2Fmy-reviews'));
  await openReview();
  expect(text()).toHaveValue('Consistent.');
  expect(stars('4.5')).toBeChecked();
});

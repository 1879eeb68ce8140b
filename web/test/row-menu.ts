import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Of the first row, or of another one whose label matches. */
export async function openRowMenu(user: UserEvent, name: RegExp = /^More for/, index = 0): Promise<void> {
  const buttons = await screen.findAllByRole('button', { name });
  await user.click(buttons[index] as HTMLElement);
}

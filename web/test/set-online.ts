import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Simulates a lost or restored connection. */
export function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  act(() => void dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
}

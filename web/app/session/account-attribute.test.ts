import { afterEach, expect, test, vi } from 'vitest';

const root = document.documentElement;
const loadPage = async () => {
  vi.resetModules();
  return import('./account-attribute.ts');
};
afterEach(() => {
  root.removeAttribute('data-account');
  root.removeAttribute('style');
});

test('a page loaded with a session keeps its menu’s width', async () => {
  root.dataset.account = '';
  const { setAccountWidth } = await loadPage();
  setAccountWidth(140);
  expect(root.style.getPropertyValue('--account-width')).toBe('');
  expect(localStorage.getItem('accountWidth')).toBe('140');
});

test('the next sign-in on that page sets its own width', async () => {
  root.dataset.account = '';
  const { setAccountAttribute, setAccountWidth } = await loadPage();
  setAccountAttribute(false);
  setAccountAttribute(true);
  setAccountWidth(140);
  expect(root.style.getPropertyValue('--account-width')).toBe('140px');
});

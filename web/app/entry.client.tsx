import { holdCurrency } from '@parts-forge/contract/money/currency';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { focusPressedButtons } from './ui/focus-pressed-buttons.ts';

const { content } = document.querySelector<HTMLMetaElement>('meta[name="currency"]') ?? {};
if (content) holdCurrency(content);

focusPressedButtons();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

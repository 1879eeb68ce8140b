import { holdCurrency } from '@parts-forge/contract/money/currency';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

const { content } = document.querySelector<HTMLMetaElement>('meta[name="currency"]') ?? {};
if (content) holdCurrency(content);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

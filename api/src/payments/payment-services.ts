import type { Platform } from '#src/platform/platform.ts';
import type { PaymentProvider } from './provider/provider.ts';

/** What the use cases of payment stand on. */
export type PaymentServices = Platform & { payments: PaymentProvider };

import type { Platform } from '#src/platform/platform.ts';
import type { PaymentProvider } from './provider/provider.ts';

/** The dependencies of the payment use cases. */
export type PaymentServices = Platform & { payments: PaymentProvider };

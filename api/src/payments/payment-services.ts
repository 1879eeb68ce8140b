import type { Platform } from '#src/platform/platform.ts';
import type { PaymentProvider } from './provider/provider.ts';

export type PaymentServices = Platform & { payments: PaymentProvider };

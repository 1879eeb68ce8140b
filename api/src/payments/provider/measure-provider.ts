import type { Metrics } from '#src/platform/core/metrics.ts';
import { type PaymentProvider, ProviderError } from './provider.ts';

/** In seconds; a request ends after 17. */
const DURATIONS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

const OUTCOMES = ['answered', 'refused', 'unreachable', 'broken'] as const;

export function measureProvider(provider: PaymentProvider, metrics: Metrics): PaymentProvider {
  const durations = metrics.histogram({
    name: 'shop_payment_provider_duration_seconds',
    help: 'Duration of requests to the payment provider by outcome: answered, refused, unreachable, broken.',
    labelNames: ['question', 'outcome'],
    buckets: DURATIONS,
  });
  const measure = <Input extends unknown[], Answer>(
    question: string,
    ask: (...input: Input) => Promise<Answer>,
  ) => {
    // A rate needs a first sample of zero.
    for (const outcome of OUTCOMES) durations.zero({ question, outcome });
    return async (...input: Input): Promise<Answer> => {
      const observe = durations.startTimer({ question });
      try {
        const answer = await ask(...input);
        observe({ outcome: 'answered' });
        return answer;
      } catch (error) {
        observe({ outcome: error instanceof ProviderError ? error.kind : 'broken' });
        throw error;
      }
    };
  };
  return {
    ...provider,
    createPayment: measure('createPayment', provider.createPayment),
    findPayment: measure('findPayment', provider.findPayment),
    cancelPayment: measure('cancelPayment', provider.cancelPayment),
    createRefund: measure('createRefund', provider.createRefund),
    listRefunds: measure('listRefunds', provider.listRefunds),
    listDisputes: measure('listDisputes', provider.listDisputes),
    listEvents: measure('listEvents', provider.listEvents),
  };
}

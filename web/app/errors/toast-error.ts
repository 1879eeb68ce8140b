import { toast } from '#app/ui/toast.tsx';
import { describeError } from './describe-error.ts';

export const toastError = (error: unknown): void => toast('error', describeError(error));

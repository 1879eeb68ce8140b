import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { ToastFrame, type ToastKind } from '#app/ui/toast-frame.tsx';
import type { Example } from '../example.ts';
import { ignore } from '../sample-data.ts';

const texts: Record<ToastKind, string> = {
  success: 'Order placed successfully',
  error: 'something error happend',
  info: "You're offline. Try again when you're connected.",
};

export const toasts: readonly Example[] = (['success', 'error', 'info'] as const).map((kind) => ({
  name: `Toast, ${kind}`,
  render: () => (
    <div className="dev-stack">
      <ToastFrame kind={kind} text={texts[kind]} onDismiss={ignore} />
      <Button kind="line" size="row" onClick={() => toast(kind, texts[kind])}>
        Show it
      </Button>
    </div>
  ),
}));

import { WifiOff } from 'lucide';
import { Icon } from '#app/ui/icon.tsx';
import { useOnline } from '#app/ui/use-online.ts';

/** Covers other sticky elements, such as the filter bar, which do nothing offline. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div aria-live="polite" aria-atomic="true" className="sticky top-16 z-31">
      {!online && <OfflineMessage />}
    </div>
  );
}

export function OfflineMessage() {
  return (
    <div className="bg-neutral text-neutral-content">
      <div className="wrap flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-2 text-[0.9375rem]">
        <Icon of={WifiOff} className="size-5 shrink-0" />
        <p className="flex-1">
          You are offline. What you see may be out of date; ordering and paying work again when the connection
          is back.
        </p>
      </div>
    </div>
  );
}

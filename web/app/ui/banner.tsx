import { CircleAlert, type IconNode, Info } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface BannerProps {
  /** `alarm` is the filled red banner, `error` a red frame, `info` a grey frame. */
  kind: 'alarm' | 'error' | 'info';
  className?: string;
  children: ReactNode;
  /** Below the sentence; its changes are not announced. */
  after?: ReactNode;
}

const looks = {
  alarm: { frame: 'bg-alarm text-alarm-content', icon: CircleAlert, tone: '', text: 'font-medium' },
  error: { frame: 'border border-error text-[0.9375rem]', icon: CircleAlert, tone: 'text-error', text: '' },
  info: { frame: 'border border-edge', icon: Info, tone: 'text-info', text: '' },
} satisfies Record<BannerProps['kind'], { frame: string; icon: IconNode; tone: string; text: string }>;

/**
 * The red kinds interrupt a screen reader, the grey one waits. Text that stays on the page is a live region
 * without the role `status`, as Orca later reads only the word "statusbar" there.
 */
export function Banner({ kind, className = '', children, after }: BannerProps) {
  const { frame, icon, tone, text } = looks[kind];
  return (
    <div className={`flex gap-3 rounded-field p-4 ${frame} ${className}`.trimEnd()}>
      <Icon of={icon} className={`mt-0.5 size-5 shrink-0 ${tone}`} />
      <div className={`min-w-0 ${text}`}>
        <div {...(kind === 'info' ? { 'aria-live': 'polite', 'aria-atomic': true } : { role: 'alert' })}>
          {children}
        </div>
        {after}
      </div>
    </div>
  );
}

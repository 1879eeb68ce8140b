import { CircleAlert, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface NoticeProps {
  sign: LucideIcon;
  title: ReactNode;
  children: ReactNode;
  /** one button or link, the way on */
  action?: ReactNode;
  /** Announced at once, for something that failed. */
  alert?: boolean;
  /** The heading's level on its page. */
  level?: 2 | 3;
}

/** What stands where a list would be when there is none: empty, failed, nothing found. */
export function Notice({ sign, title, children, action, alert = false, level = 2 }: NoticeProps) {
  const Heading = `h${level}` as const;
  return (
    <div
      className="pf-panel grid justify-items-center gap-2 px-6 py-16 text-center"
      role={alert ? 'alert' : undefined}
    >
      <span className="mb-2 grid size-16 place-items-center rounded-full border border-base-300 text-muted">
        <Icon of={sign} className="size-7" />
      </span>
      <Heading className="display text-h3">{title}</Heading>
      <p className="max-w-[46ch] text-balance text-muted">{children}</p>
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}

interface BannerProps {
  /** `alarm` is the filled red banner, `error` a red frame, `info` a grey frame. */
  kind: 'alarm' | 'error' | 'info';
  className?: string;
  children: ReactNode;
}

const banners = {
  alarm: { frame: 'bg-alarm text-alarm-content', sign: CircleAlert, tone: '', text: 'font-medium' },
  error: { frame: 'border border-error text-[0.9375rem]', sign: CircleAlert, tone: 'text-error', text: '' },
  info: { frame: 'border border-edge', sign: Info, tone: 'text-info', text: '' },
} satisfies Record<BannerProps['kind'], { frame: string; sign: LucideIcon; tone: string; text: string }>;

/** A framed sentence above a form. The red ones interrupt a screen reader, the grey one waits. */
export function Banner({ kind, className = '', children }: BannerProps) {
  const { frame, sign, tone, text } = banners[kind];
  return (
    <div
      role={kind === 'info' ? 'status' : 'alert'}
      className={`flex gap-3 rounded-field p-4 ${frame} ${className}`}
    >
      <Icon of={sign} className={`mt-0.5 size-5 shrink-0 ${tone}`} />
      <div className={`min-w-0 ${text}`}>{children}</div>
    </div>
  );
}

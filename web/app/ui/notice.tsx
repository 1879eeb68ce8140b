import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface NoticeProps {
  icon: IconNode;
  title: ReactNode;
  children: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  /** Announced at once, for a failure. */
  alert?: boolean;
  level?: 2 | 3;
}

/** Replaces a list that is empty, has no match or failed to load. */
export function Notice({ icon, title, children, action, alert = false, level = 2 }: NoticeProps) {
  const Heading = `h${level}` as const;
  return (
    <div
      className="pf-panel grid justify-items-center gap-2 px-6 py-16 text-center"
      role={alert ? 'alert' : undefined}
    >
      <span className="mb-2 grid size-16 place-items-center rounded-full border border-base-300 text-muted">
        <Icon of={icon} className="size-7" />
      </span>
      <Heading className="display text-h3">{title}</Heading>
      <p className="max-w-[46ch] text-balance text-muted">{children}</p>
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}

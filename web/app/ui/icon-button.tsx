import type { IconNode } from 'lucide';
import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: IconNode;
  /** For screen readers. */
  label: string;
  iconClass?: string;
}

/** `className` has its size. */
export const IconButton = ({ icon, label, className, iconClass = 'size-4', ...props }: IconButtonProps) => (
  <button type="button" className={`btn btn-ghost btn-square ${className}`} aria-label={label} {...props}>
    <Icon of={icon} className={iconClass} />
  </button>
);

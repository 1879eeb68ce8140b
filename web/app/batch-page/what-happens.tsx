import { Clock, ListChecks, type LucideIcon, Package } from 'lucide-react';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';

const facts: readonly { icon: LucideIcon; text: string }[] = [
  { icon: ListChecks, text: 'Each line becomes an order of its own. All are placed, or none.' },
  {
    icon: Clock,
    text: 'The stock is held while the orders wait for payment. Pay them together or one by one.',
  },
  { icon: Package, text: 'All go to one address. For another address, place a second batch.' },
];

export function WhatHappens() {
  return (
    <Panel heading="What happens">
      <ul className="grid gap-3 text-[0.9375rem] text-muted">
        {facts.map(({ icon, text }) => (
          <li key={text} className="flex gap-3">
            <Icon of={icon} className="mt-0.5 size-5 shrink-0" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

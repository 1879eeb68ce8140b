import { formatCount } from '@parts-forge/contract/money/money';
import { useQuery } from '@tanstack/react-query';
import { Clock, type IconNode, ListChecks, Package } from 'lucide';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Panel } from '#app/ui/panel.tsx';

const describeHolding = (holdHours: number | null | undefined): string => {
  if (!holdHours) return 'The stock is held until you pay the orders, together or one by one.';
  return `The stock is held for ${describeHours(holdHours)}. Pay the orders together or one by one.`;
};

/** `72 hours`, `30 minutes`: the setting may have decimals. */
function describeHours(hours: number): string {
  const [count, unit] =
    hours < 1 ? [Math.round(hours * 60), 'minute'] : [Math.round(hours * 10) / 10, 'hour'];
  return formatCount(count, unit);
}

export function WhatHappens() {
  const { data: config } = useQuery(configQueryOptions());
  const facts: readonly { icon: IconNode; text: string }[] = [
    { icon: ListChecks, text: 'Each ready line becomes an order of its own. All are placed, or none.' },
    { icon: Clock, text: describeHolding(config?.holdHours) },
    { icon: Package, text: 'All go to one address. For another address, place a second batch.' },
  ];
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

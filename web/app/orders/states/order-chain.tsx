import type { CSSProperties, ReactNode } from 'react';
import type { Stage } from './order-stages.ts';

interface OrderChainProps {
  stages: readonly Stage[];
  /** The time between two stages; null when unknown. */
  describeSpan: (stage: Stage, next: Stage) => string | null;
  /** Under the stage's name. */
  children: (stage: Stage) => ReactNode;
}

/** Stages as a dimension chain, with the durations between them. */
export const OrderChain = ({ stages, describeSpan, children }: OrderChainProps) => (
  <ol className="pf-chain num" style={{ '--before': stages.length - 1 } as CSSProperties}>
    {stages.map((stage, index) => {
      const next = stages[index + 1];
      const span = next && describeSpan(stage, next);
      return (
        <li
          key={stage.name}
          data-state={stage.state}
          data-next={next?.state === 'open' ? 'open' : undefined}
          aria-current={stage.state === 'now' ? 'step' : undefined}
        >
          <p className={`font-semibold ${stage.state === 'open' ? 'text-muted' : ''}`.trimEnd()}>
            {stage.name}
          </p>
          {children(stage)}
          {span && <span className="span">{span}</span>}
        </li>
      );
    })}
  </ol>
);

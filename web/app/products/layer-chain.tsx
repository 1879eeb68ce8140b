import { formatAmount } from '@parts-forge/contract/money';
import type { Kind } from '@parts-forge/contract/part-rules';
import { Link } from 'react-router';
import { type KindFacts, useKindFacts } from './use-kind-facts.ts';

interface Layer {
  name: string;
  kind: Kind;
}

/** Seven equal columns, as in the picture. */
const wideLayers: readonly Layer[] = [
  { name: 'Cover glass', kind: 'Displays' },
  { name: 'Display', kind: 'Displays' },
  { name: 'Mid frame', kind: 'Housing' },
  { name: 'Battery', kind: 'Batteries' },
  { name: 'Mainboard', kind: 'Boards' },
  { name: 'Camera and coil', kind: 'Cameras' },
  { name: 'Back cover', kind: 'Housing' },
];
const portraitLayers = wideLayers.filter(({ name }) =>
  ['Display', 'Mid frame', 'Mainboard', 'Camera and coil'].includes(name),
);
const kinds = [...new Set(wideLayers.map(({ kind }) => kind))];

/**
 * The dimension chain under the exploded phone. Each layer links to its kind; hover or focus shows count and
 * lowest price. Touch devices show them once the chain is in view.
 */
export function LayerChain() {
  const { facts, chain, load } = useKindFacts(kinds);
  return (
    <div ref={chain}>
      <Chain
        layers={portraitLayers}
        facts={facts}
        onPoint={load}
        className="grid-cols-4 md:hidden"
        pictureColumn="after:aspect-[300/1000]"
      />
      <Chain
        layers={wideLayers}
        facts={facts}
        onPoint={load}
        className="grid-cols-7 max-md:hidden"
        pictureColumn="after:aspect-[2600/7000]"
      />
    </div>
  );
}

interface ChainProps {
  layers: readonly Layer[];
  facts: ReadonlyMap<Kind, KindFacts>;
  onPoint: () => void;
  className: string;
  /** The aspect ratio of the layer's column in the picture above. */
  pictureColumn: string;
}

function Chain({ layers, facts, onPoint, className, pictureColumn }: ChainProps) {
  return (
    <ul className={`mt-1 grid border-r border-base-content/50 text-micro md:text-sm ${className}`}>
      {layers.map(({ name, kind }) => (
        <li
          key={name}
          className="relative border-l border-base-content/50 pt-2 text-center max-md:tracking-tight max-[22.5rem]:px-0.5 md:px-1 before:absolute before:inset-x-0 before:top-1.5 before:h-px before:bg-base-content/50"
        >
          <Link
            to={`/all-products?${new URLSearchParams({ kind })}`}
            onPointerEnter={onPoint}
            onFocus={onPoint}
            className={`group/layer block rounded-selector py-1 after:absolute after:inset-x-0 after:bottom-full hover:underline ${pictureColumn}`}
          >
            {name}
            <Facts facts={facts.get(kind)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A tooltip with a mouse; on touch devices a line with reserved space. */
function Facts({ facts }: { facts: KindFacts | undefined }) {
  return (
    <span className="num pointer-events-none block text-micro no-underline [@media(hover:none)]:min-h-8 max-[22.5rem]:[@media(hover:none)]:min-h-12 [@media(hover:hover)]:invisible [@media(hover:hover)]:absolute [@media(hover:hover)]:bottom-full [@media(hover:hover)]:left-1/2 [@media(hover:hover)]:z-10 [@media(hover:hover)]:mb-2 [@media(hover:hover)]:-translate-x-1/2 [@media(hover:hover)]:whitespace-nowrap [@media(hover:hover)]:rounded-field [@media(hover:hover)]:border [@media(hover:hover)]:border-base-300 [@media(hover:hover)]:bg-base-100 [@media(hover:hover)]:px-3 [@media(hover:hover)]:py-1.5 [@media(hover:hover)]:empty:hidden group-hover/layer:visible group-focus-visible/layer:visible">
      {facts && (
        <>
          <span className="sr-only">, </span>
          {describeCount(facts.count)}
          {facts.leastPrice !== null && (
            <>
              {' '}
              <span className="min-[22.5rem]:whitespace-nowrap">from {formatAmount(facts.leastPrice)}</span>
            </>
          )}
        </>
      )}
    </span>
  );
}

const describeCount = (count: string) =>
  count === '0' ? 'no parts now' : `${count} ${count === '1' ? 'part' : 'parts'}`;

import type { Kind } from '@parts-forge/contract/products/part-rules';
import { Link } from 'react-router';

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

/** The dimension chain under the exploded phone: each layer links to its kind. */
export const LayerChain = () => (
  <>
    <Chain
      layers={portraitLayers}
      className="grid-cols-4 md:hidden"
      pictureColumn="after:aspect-[300/1000]"
    />
    <Chain
      layers={wideLayers}
      className="grid-cols-7 max-md:hidden"
      pictureColumn="after:aspect-[2600/7000]"
    />
  </>
);

interface ChainProps {
  layers: readonly Layer[];
  className: string;
  /** The aspect ratio of the layer's column in the picture above. */
  pictureColumn: string;
}

function Chain({ layers, className, pictureColumn }: ChainProps) {
  return (
    <ul className={`mt-1 grid border-r border-base-content/50 text-micro md:text-sm ${className}`}>
      {layers.map(({ name, kind }) => (
        <li
          key={name}
          className="relative border-l border-base-content/50 pt-2 text-center max-md:tracking-tight max-[22.5rem]:px-0.5 md:px-1 before:absolute before:inset-x-0 before:top-1.5 before:h-px before:bg-base-content/50"
        >
          <Link
            to={`/all-products?${new URLSearchParams({ kind })}`}
            className={`block rounded-selector py-1 after:absolute after:inset-x-0 after:bottom-full hover:underline ${pictureColumn}`}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

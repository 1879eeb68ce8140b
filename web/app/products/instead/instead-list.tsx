import { formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Instead, PartFacts } from '@parts-forge/contract/products/instead';
import { partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { useShop } from '#app/ui/shop.tsx';
import { formatChange } from '#app/ui/signed.ts';
import { listPriceFor, taxWords, useOwnPrice } from '#app/users/own-prices.ts';
import type { OwnPriced } from '#app/users/watch-own-prices.tsx';
import { Thumbnail } from '../thumbnail.tsx';

interface InsteadListProps {
  /** A part that is no longer sold has no price. */
  product: PartFacts | Product;
  instead: readonly Instead[];
  /** Pieces that are compared in price. */
  wanted: number;
  renderActs?: (other: Instead) => ReactNode;
}

/** Lists parts that fit instead, with their differences. Renders nothing without one. */
export function InsteadList({ product, instead, wanted, renderActs }: InsteadListProps) {
  const headingId = useId();
  const price = useOwnPrice([product, ...instead.map((other) => other.product)]);
  if (instead.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div className="pf-instead" role="group" aria-labelledby={headingId}>
      <p id={headingId} className="head">
        {instead.every(({ named }) => named) ? 'Successor' : 'What fits instead'}
      </p>
      <ul>
        {instead.map((other) => (
          <li key={other.product._id}>
            <Thumbnail image={other.product.image} size="size-8" />
            <PartName other={other.product} isNamed={other.named ?? false} />
            <Fits part={product} other={other} />
            <Price
              part={'price' in product ? price(product) : null}
              other={price(other.product)}
              pieces={[wanted, other.quantity || wanted]}
            />
            <span className="num left">
              {formatPieces(other.product.quantity)}
              <span className="sub">in stock</span>
            </span>
            {renderActs && <span className="acts">{renderActs(other)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PartName({ other, isNamed }: { other: Instead['product']; isNamed: boolean }) {
  const shopName = useShop().name;
  return (
    <span className="name">
      <Link className="cut hover:text-primary hover:underline" to={partPath(other)} title={other.name}>
        {other.name}
      </Link>
      <span className="num sub cut">
        {other.number}
        {isNamed && `, named by ${shopName}`}
      </span>
    </span>
  );
}

function Fits({ part, other: { product, fits, of } }: { part: PartFacts; other: Instead }) {
  const { attributes, models } = listDifferences(part, product);
  const [first] = attributes;
  const shown = [...(first ? [first] : []), ...(models.length === 1 ? models : [])].join(', ');
  return (
    <span className="fits">
      {of > 0 && (
        <span>
          fits {formatPieces(fits)} of {formatCount(of, 'model')}
        </span>
      )}
      {shown && (
        <span className="sub cut" title={[...attributes, ...models].join('; ')}>
          {shown}
        </span>
      )}
    </span>
  );
}

/** How another part differs: attributes in the order of the first part, then models that it does not fit. */
function listDifferences(part: PartFacts, other: PartFacts): { attributes: string[]; models: string[] } {
  const find = (attributes: PartFacts['attributes'], name: string) =>
    attributes.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  const changed = part.attributes.flatMap(({ name, value }) => {
    const is = find(other.attributes, name);
    return is === undefined || is === value ? [] : [`${is} in place of ${value}`];
  });
  const added = other.attributes.flatMap(({ name, value }) =>
    find(part.attributes, name) === undefined ? [`${name}: ${value}`] : [],
  );
  const models = part.fits.filter((model) => !other.fits.includes(model)).map((model) => `not ${model}`);
  return { attributes: [...changed, ...added], models };
}

interface PriceProps {
  part: OwnPriced | null;
  other: OwnPriced;
  /** Of the part and of the other one. */
  pieces: [number, number];
}

function Price({ part, other, pieces: [wanted, offered] }: PriceProps) {
  const cents = unitPriceFor(offered, other);
  const isOwn = cents < listPriceFor(offered, other);
  const more = part && cents - unitPriceFor(wanted, part);
  const change = more === 0 ? 'same price' : more && formatChange(more, formatCents);
  return (
    <span className="num cost">
      {formatCents(cents)}
      {taxWords(other)}
      <span className="sub">
        {isOwn && `your price${change ? ', ' : ''}`}
        {/* A line must not break behind its sign. */}
        <span className="whitespace-nowrap">{change}</span>
      </span>
    </span>
  );
}

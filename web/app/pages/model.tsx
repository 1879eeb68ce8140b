import { formatPieces } from '@parts-forge/contract/money/money';
import { describeDelivery, modelPath, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { data, Link } from 'react-router';
import { PartPrice } from '#app/products/part-price.tsx';
import { serverContext } from '#app/server-context.ts';
import { taxWords, useOwnPrice } from '#app/users/own-prices.ts';
import type { Route } from './+types/model';
import { buildPageMeta } from './page-meta.ts';

const SHOWN = 100;

/** What repairers must find of a phone model: parts, prices, delivery, years (EU 2023/1670). */
export async function loader({ context, params: { model } }: Route.LoaderArgs) {
  const query = new URLSearchParams({ fits: model, sort: 'name', limit: String(SHOWN) });
  const response = await context.get(serverContext).call(`/product?${query}`);
  if (!response.ok) throw data(null, { status: response.status === 422 ? 404 : response.status });
  const parts: Product[] = await response.json();
  // The search ignores invisible letters; an address has one spelling.
  if (!parts[0]?.fits.includes(model)) throw data(null, { status: 404 });
  return { model, parts, total: response.headers.get('x-total-count') ?? '' };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { model } = loaderData;
  return buildPageMeta({
    title: `Parts for ${model}`,
    description: `Parts that fit ${model}, with price per unit, delivery and the years for which they are available.`,
    path: modelPath(model),
    root: matches[0].loaderData,
  });
}

export default function Model({ loaderData: { model, parts, total } }: Route.ComponentProps) {
  const own = useOwnPrice(parts);
  return (
    <div className="wrap pb-24 pt-12 md:pt-16">
      <h1 className="display text-h1 [overflow-wrap:anywhere]">Parts for {model}</h1>
      <div className="mt-8 overflow-x-auto">
        <table className="num w-full border-y border-base-300 text-left [&_:is(td,th)]:border-b [&_:is(td,th)]:border-base-300 [&_:is(td,th)]:py-3 [&_:is(td,th)]:pr-6">
          <caption className="sr-only">Parts for {model}</caption>
          <thead>
            <tr className="text-sm text-muted">
              <th scope="col">Part</th>
              <th scope="col">Price Per Unit</th>
              <th scope="col">Minimum Order</th>
              <th scope="col">Delivery</th>
              <th scope="col">Available until</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part._id}>
                <th scope="row" className="min-w-40 font-medium [overflow-wrap:anywhere]">
                  <Link className="pf-link" to={partPath(part)}>
                    {part.name}
                  </Link>
                  <span className="block text-sm font-normal text-muted">{part.number}</span>
                </th>
                <td>
                  <PartPrice part={own(part)} />
                  {taxWords(own(part))}
                </td>
                <td>{formatPieces(part.minimumOrder)}</td>
                <td>{part.deliveryDays === null ? '–' : describeDelivery(part.deliveryDays)}</td>
                <td>{part.availableUntil ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Link
        className="pf-link mt-6 inline-flex min-h-8 items-center"
        to={`/all-products?fits=${encodeURIComponent(model)}`}
      >
        {`See ${parts.length < SHOWN ? 'them' : `all ${total}`} with pictures and stock`}
      </Link>
    </div>
  );
}

import type { PartWithInstead } from '@parts-forge/contract/products/instead';
import { partPath, slugify } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { QrCode } from 'lucide';
import type { ComponentProps } from 'react';
import { data, Link, redirect } from 'react-router';
import { PartOrder } from '#app/orders/one-part/part-order.tsx';
import { InsteadList } from '#app/products/instead/instead-list.tsx';
import { buildKindPath, KindLink } from '#app/products/kind-link.tsx';
import { PartFacts } from '#app/products/part/part-facts.tsx';
import { PartPictures } from '#app/products/part/part-pictures.tsx';
import { RelatedParts } from '#app/products/part/related-parts.tsx';
import { type ServerContext, serverContext } from '#app/server-context.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { PageTitle } from '#app/ui/shop.tsx';
import type { Route } from './+types/part';
import { buildPageMeta } from './page-meta.ts';
import { describePart } from './structured-part.ts';

const RELATED = 3;

type Related = ComponentProps<typeof RelatedParts>;

/** Redirects a missing or outdated name to the current one; a removed part stays 404 and names what fits instead. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { call } = context.get(serverContext);
  const response = await call(`/product/${encodeURIComponent(params.id)}`);
  if (response.status === 404) return data(await readRemoved(call, params.id), { status: 404 });
  if (!response.ok) throw data(null, { status: response.status });
  const { data: part }: { data?: Product } = await response.json();
  // `/product/facets` is no part.
  if (!part) throw data(null, { status: 404 });
  if (params.id !== part._id || params.slug !== slugify(part.name)) throw redirect(partPath(part), 301);
  return { part, related: await findRelated(call, part) };
}

async function readRemoved(call: ServerContext['call'], id: string) {
  const response = await call(`/product/${encodeURIComponent(id)}/instead`);
  if (!response.ok) throw data(null, { status: 404 });
  const { data: removed }: { data: PartWithInstead } = await response.json();
  return { removed };
}

/**
 * The cheapest parts of other kinds for its first phone model, as a repair needs them; else the newest of its
 * kind. None when reading fails.
 */
async function findRelated(call: ServerContext['call'], { _id, kind, fits }: Product): Promise<Related> {
  const read = async (filter: Record<string, string>): Promise<Product[]> => {
    const response = await call(`/product?${new URLSearchParams(filter)}`);
    return response.ok ? response.json() : [];
  };
  const [model] = fits;
  const fitting = model === undefined ? [] : await read({ fits: model, sort: 'price', limit: '24' });
  const others = fitting.filter((part) => part.kind !== kind).slice(0, RELATED);
  if (others.length > 0) return { title: 'Goes with', parts: others };
  const alike = await read({ kind, limit: String(RELATED + 1) });
  return { title: 'Related parts', parts: alike.filter((part) => part._id !== _id).slice(0, RELATED) };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData || 'removed' in loaderData) return [];
  const root = matches[0].loaderData;
  const { part } = loaderData;
  return buildPageMeta({
    title: `${part.name}, ${part.number}`,
    description: part.description,
    path: partPath(part),
    root,
    image: part.image,
    structured: describePart(part, root),
  });
}

export default function Part({ loaderData }: Route.ComponentProps) {
  if ('removed' in loaderData) return <RemovedPart {...loaderData.removed} />;
  const { part, related } = loaderData;
  return (
    <div className="wrap pb-24 pt-8 md:pt-10">
      <Breadcrumb kind={part.kind} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_28rem] xl:gap-x-14">
        <PartPictures key={part._id} name={part.name} images={part.images} />
        <div className="lg:row-span-2">
          <div className="lg:sticky lg:top-24">
            <Heading part={part} />
            <PartOrder key={part._id} product={part} />
          </div>
        </div>
        <PartFacts {...part} />
      </div>
      <RelatedParts {...related} />
    </div>
  );
}

function RemovedPart({ product, instead }: PartWithInstead) {
  return (
    <div className="wrap pb-24 pt-8 md:pt-10">
      <PageTitle title={`${product.name} is no longer sold`} />
      <Breadcrumb kind={product.kind} />
      <h1 className="text-balance text-h2 font-[560] [overflow-wrap:anywhere]">{product.name}</h1>
      <p className="num mt-1 text-muted [overflow-wrap:anywhere]">{product.number}</p>
      <p className="my-6">This part is no longer sold.</p>
      <InsteadList product={product} instead={instead} wanted={1} />
      <KindLink kind={product.kind} className={getButtonClasses('primary', 'action', 'mt-8 max-sm:w-full')} />
    </div>
  );
}

function Breadcrumb({ kind }: Pick<Product, 'kind'>) {
  return (
    <nav aria-label="Breadcrumb" className="mb-5 text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-2">
        <li>
          <Link className="pf-link inline-flex min-h-8 items-center" to="/all-products">
            All Parts
          </Link>
        </li>
        <li className="flex items-center gap-2">
          <span aria-hidden="true">/</span>
          <Link className="pf-link inline-flex min-h-8 items-center" to={buildKindPath(kind)}>
            {kind}
          </Link>
        </li>
      </ol>
    </nav>
  );
}

function Heading({ part }: { part: Product }) {
  const { _id, name, number, description } = part;
  return (
    <>
      <h1 className="text-balance text-h2 font-[560] tracking-[-0.018em] [overflow-wrap:anywhere]">{name}</h1>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-muted">
        <p className="flex items-center gap-1">
          <span className="sr-only">Part number </span>
          <span className="num min-w-0 [overflow-wrap:anywhere]">{number}</span>
          <CopyButton name="part number" text={number} />
        </p>
        <a
          className="pf-link inline-flex min-h-8 items-center gap-1.5 text-sm"
          href={`/products/${_id}/qr.svg`}
          download={`${number}.svg`}
        >
          <Icon of={QrCode} className="size-4" />
          QR code
        </a>
      </div>
      <p className="mb-6 mt-2 whitespace-pre-line text-muted [overflow-wrap:anywhere]">{description}</p>
    </>
  );
}

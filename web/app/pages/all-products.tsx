import { shopCurrency } from '@parts-forge/contract/money/currency';
import { writeAmount } from '@parts-forge/contract/money/money';
import { isAvailable, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { failList } from '#app/calls/list-page.ts';
import { ProductList } from '#app/products/list/product-list.tsx';
import { type ProductListData, readProductList } from '#app/products/list/read-product-list.ts';
import { filterParameters, nameList, readProductFilter } from '#app/products/product-filter.ts';
import type { PageHandle } from '#app/root.tsx';
import { documentContext, serverContext } from '#app/server-context.ts';
import type { Route } from './+types/all-products';
import { buildPageMeta } from './page-meta.ts';

export const handle: PageHandle = { query: filterParameters };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const root = matches[0].loaderData;
  return buildPageMeta({
    title: loaderData ? nameList(loaderData.filter) : 'All Products',
    description: 'All parts we make for mobile phones, with price per unit, stock and minimum order.',
    path: '/all-products',
    root,
    structured: loaderData?.page.rows
      ? [
          {
            '@type': 'ItemList',
            name: 'All Products',
            itemListElement: loaderData.page.rows.map((product, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: describeProduct(product, root?.origin),
            })),
          },
        ]
      : [],
  });
}

export function loader({ context, request }: Route.LoaderArgs): Promise<ProductListData> {
  const filter = readProductFilter(new URL(request.url).searchParams);
  return readProductList(context.get(serverContext).call, filter, context.get(documentContext));
}

/** Offline the list says so; the search text stays. */
export async function clientLoader({
  request,
  serverLoader,
}: Route.ClientLoaderArgs): Promise<ProductListData> {
  return serverLoader().catch((error: unknown) => ({
    filter: readProductFilter(new URL(request.url).searchParams),
    page: failList(error),
    isSimilar: false,
    before: [],
    facets: null,
  }));
}

export default function AllProducts({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap pb-24 pt-12 md:pt-16">
      <h1 className="display text-h1">All Products</h1>
      <ProductList {...loaderData} />
    </div>
  );
}

/** For search engines, in schema.org's terms. */
function describeProduct(product: Product, origin: string | null | undefined) {
  return {
    '@type': 'Product',
    name: product.name,
    sku: product.number,
    ...(origin && { url: new URL(partPath(product), origin).href }),
    description: product.description,
    ...(origin && { image: new URL(product.image, origin).href }),
    offers: {
      '@type': 'Offer',
      price: writeAmount(product.price),
      priceCurrency: shopCurrency().code,
      availability: `https://schema.org/${isAvailable(product) ? 'InStock' : 'OutOfStock'}`,
    },
  };
}

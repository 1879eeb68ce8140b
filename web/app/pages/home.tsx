import { FEATURED_PARTS } from '@parts-forge/contract/calls/bounds';
import type { Product } from '@parts-forge/contract/products/products';
import type { Review } from '@parts-forge/contract/products/reviews';
import { ArrowRight } from 'lucide';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { failList, type ListFailure, type ListPage, readListPageOrFailure } from '#app/calls/list-page.ts';
import { RevalidateNotice } from '#app/errors/revalidate-notice.tsx';
import { Counters } from '#app/layout/counters.tsx';
import { Hero, heroPreloads } from '#app/layout/hero.tsx';
import { NewsletterAndContact } from '#app/layout/newsletter-and-contact.tsx';
import { LayerChain } from '#app/products/layer-chain.tsx';
import { ProductCard, ProductCardSkeleton } from '#app/products/product-card.tsx';
import { ReviewCard, ReviewCardSkeleton } from '#app/reviews/review-card.tsx';
import { serverContext } from '#app/server-context.ts';
import { Icon } from '#app/ui/icon.tsx';
import { unknownShop } from '#app/ui/shop.tsx';
import { useResolved } from '#app/ui/use-resolved.ts';
import type { Route } from './+types/home';
import { buildPageMeta } from './page-meta.ts';

export const links: Route.LinksFunction = () => heroPreloads;

export function meta({ matches }: Route.MetaArgs) {
  const root = matches[0].loaderData;
  const { origin, seller, shop = unknownShop } = root ?? {};
  return buildPageMeta({
    title: 'Mobile-phone parts from the manufacturer',
    description: shop.description,
    path: '/',
    root,
    structured: [
      {
        '@type': 'Organization',
        name: shop.name,
        description: shop.tagline,
        ...(origin && { url: `${origin}/`, logo: `${origin}/icon-512.png` }),
        // The settings have lines of the address, not fields.
        ...(seller && { legalName: seller.name, address: seller.address.join(', ') }),
      },
    ],
  });
}

/** They fill one row of the page. */
const RECENT_REVIEWS = 3;

interface HomeData {
  products: ListPage<Product> | ListFailure;
  reviews: ListPage<Review> | ListFailure;
}

export async function loader({ context }: Route.LoaderArgs): Promise<HomeData> {
  const { call } = context.get(serverContext);
  const [products, reviews] = await Promise.all([
    readListPageOrFailure<Product>(call(`/product?limit=${FEATURED_PARTS}`)),
    readListPageOrFailure<Review>(call(`/review?limit=${RECENT_REVIEWS}`)),
  ]);
  return { products, reviews };
}

/** From another page it renders at once, with skeletons. A retry on the same page waits for the response. */
export async function clientLoader({
  serverLoader,
}: Route.ClientLoaderArgs): Promise<HomeData | { pending: Promise<HomeData> }> {
  const data = serverLoader().catch((error: unknown) => ({
    products: failList(error),
    reviews: failList(error),
  }));
  return location.pathname === '/' ? data : { pending: data };
}

const featuredGrid = 'grid gap-x-8 gap-y-12 sm:grid-cols-2 md:grid-cols-3';
const reviewGrid = 'grid gap-x-10 md:grid-cols-3';

interface SectionProps {
  data: HomeData | Promise<HomeData>;
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const data = 'pending' in loaderData ? loaderData.pending : loaderData;
  return (
    <>
      <Hero chain={<LayerChain />} />
      <FeaturedSection data={data} />
      <Counters />
      <ReviewSection data={data} />
      <NewsletterAndContact />
    </>
  );
}

function FeaturedSection({ data }: SectionProps) {
  return (
    <section className="wrap py-16 md:py-24" aria-labelledby="featured">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-4 md:mb-10">
        <h2 id="featured" className="display text-h2">
          Featured parts
        </h2>
        <Link
          to="/all-products"
          prefetch="intent"
          className="pf-link inline-flex min-h-8 items-center gap-2 font-semibold"
        >
          See All Parts <Icon of={ArrowRight} className="size-4" />
        </Link>
      </div>
      <Suspense
        fallback={
          <ul className={`pf-late ${featuredGrid}`} aria-busy="true" aria-label="Parts are loading">
            <ProductCardSkeleton />
            <ProductCardSkeleton />
            <ProductCardSkeleton />
          </ul>
        }
      >
        <FeaturedProducts data={data} />
      </Suspense>
    </section>
  );
}

function FeaturedProducts({ data }: SectionProps) {
  const { products } = useResolved(data);
  if (!products.rows) return <RevalidateNotice what="parts" requestId={products.requestId} isSection />;
  if (products.rows.length === 0) return <p className="text-muted">No parts for sale yet.</p>;
  return (
    <ul className={featuredGrid}>
      {products.rows.map((product) => (
        <ProductCard key={product._id} product={product} level={3} />
      ))}
    </ul>
  );
}

function ReviewSection({ data }: SectionProps) {
  return (
    <section className="wrap py-16 md:py-24" aria-labelledby="reviews">
      <h2 id="reviews" className="display mb-8 text-h2 md:mb-12">
        Recent customer reviews
      </h2>
      <Suspense
        fallback={
          <ul className={`pf-late ${reviewGrid}`} aria-busy="true" aria-label="Reviews are loading">
            <ReviewCardSkeleton />
            <ReviewCardSkeleton />
            <ReviewCardSkeleton />
          </ul>
        }
      >
        <RecentReviews data={data} />
      </Suspense>
    </section>
  );
}

function RecentReviews({ data }: SectionProps) {
  const { reviews } = useResolved(data);
  if (!reviews.rows) return <RevalidateNotice what="reviews" requestId={reviews.requestId} isSection />;
  if (reviews.rows.length === 0) return <p className="text-muted">No reviews yet.</p>;
  return (
    <ul className={reviewGrid}>
      {reviews.rows.map((review) => (
        <ReviewCard key={review._id} review={review} />
      ))}
    </ul>
  );
}

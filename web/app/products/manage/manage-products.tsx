import { messages } from '@parts-forge/contract/calls/messages';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Boxes, Plus } from 'lucide';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { type RowNotices, useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchChange, useSearchText } from '#app/dashboard/use-search-text.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { useDeleteProduct } from '#app/products/mutations.ts';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { buildListAddress, readProductFilter } from '#app/products/product-filter.ts';
import { type ManagedFilter, productListQueryOptions, readManagedFilter } from '#app/products/queries.ts';
import { ChosenBar } from '#app/rows/chosen-bar.tsx';
import { type Choice, useChoice } from '#app/rows/use-choice.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useQuestion } from '#app/ui/use-question.ts';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { PricesDialog } from './prices-dialog.tsx';
import { ProductsTable } from './products-table.tsx';
import { useStockDialog } from './use-stock-dialog.tsx';

/** Its heading reads 'My Orders' (specification §2); the title gives its name. */
export function ManageProducts() {
  const [q, setQ] = useSearchText();
  return (
    <>
      <PageHeading
        title="Manage Products"
        heading="My Orders"
        above="Manage Products"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Search products" value={q} onSearch={setQ} />
            <Link to="/dashboard/add-product" className={getButtonClasses('line', 'bar', 'bg-base-100')}>
              <Icon of={Plus} className="size-4" />
              Add Product
            </Link>
          </div>
        }
      />
      <StockTabs />
      <ManagedProductList q={q} />
    </>
  );
}

const tabs = [
  { value: '', name: 'All' },
  { value: 'low', name: 'Low stock' },
  { value: 'out', name: 'Out of stock' },
];

function StockTabs() {
  const [search] = useSearchParams();
  return <Tabs label="Stock" parameter="stock" tabs={tabs} now={readManagedFilter(search).stock ?? ''} />;
}

function ManagedProductList({ q }: { q: string }) {
  const [search] = useSearchParams();
  const filter = readManagedFilter(search);
  const change = useSearchChange();
  const list = useInfiniteQuery(productListQueryOptions(q, filter));
  const notices = useRowNotices<Product>();
  const deletion = useDeleteQuestion(notices);
  // Restock adds pieces by default.
  const stock = useStockDialog({ hasSwitch: true, onGone: notices.add });
  const { email } = useSignedInUser();
  const choice = useChoice({
    name: 'chosen-products',
    email,
    filter: { ...filter, q, sort: '' },
    listed: list.data?.pages.flatMap(({ rows }) => rows),
    hasMore: list.hasNextPage,
  });
  return (
    <>
      <PagedList
        list={list}
        what="The products"
        skeleton={<WorkSkeleton />}
        mapRows={notices.withNotices}
        empty={<NothingListed q={q} stock={filter.stock} />}
      >
        {(products) => (
          <ProductsTable
            products={products}
            busy={list.isPlaceholderData}
            choice={choice}
            bar={<ChosenProducts choice={choice} />}
            sort={{
              now: filter.sort ?? 'newest',
              change: (sort) => change('sort', sort === filter.sort ? '' : sort),
            }}
            onRestock={stock.add}
            onDelete={deletion.ask}
            notices={notices}
          />
        )}
      </PagedList>
      {deletion.dialog}
      {stock.dialog}
    </>
  );
}

function ChosenProducts({ choice }: { choice: Choice<Product> }) {
  const [isAsked, setAsked] = useState(false);
  const online = useOnline();
  return (
    <>
      <ChosenBar choice={choice} label="Chosen products">
        <Button kind="strong" disabled={!online} onClick={() => setAsked(true)}>
          Change prices
        </Button>
      </ChosenBar>
      {isAsked && (
        <PricesDialog
          parts={choice.rows}
          onClose={() => setAsked(false)}
          onDone={() => choice.drop(choice.rows)}
        />
      )}
    </>
  );
}

function NothingListed({ q, stock }: { q: string; stock: ManagedFilter['stock'] }) {
  if (q) return <NoMatches q={q} />;
  if (!stock) return <NoProducts />;
  return (
    <Notice icon={Boxes} title={stock === 'low' ? 'No part runs low' : 'Every part can be ordered'}>
      Parts appear here as their stock falls.
    </Notice>
  );
}

function useDeleteQuestion(notices: RowNotices<Product>) {
  const removal = useDeleteProduct();
  return useQuestion((product: Product, close) => (
    <ConfirmDialog
      title="Delete this product?"
      safe="Keep product"
      confirm="Delete product"
      busy={removal.isPending}
      busyLabel="Deleting…"
      onClose={close}
      onConfirm={() =>
        removal.mutate(product._id, {
          onSuccess: () => toast('success', messages.productDeleted),
          onError: (error) => notices.add(product, error),
          onSettled: close,
        })
      }
    >
      <ProductSummary
        image={product.image}
        name={product.name}
        figures={`${formatPieces(product.quantity)} in stock`}
      />
      <p>It disappears from the shop at once. Orders already placed are kept.</p>
    </ConfirmDialog>
  ));
}

function NoMatches({ q }: { q: string }) {
  return (
    <NoMatch icon={Boxes} title="No products match" what="products">
      Try fewer words, the part number, or{' '}
      <Link className="pf-link" to={buildListAddress(readProductFilter(new URLSearchParams({ q })))}>
        similar names in All Parts
      </Link>
      .
    </NoMatch>
  );
}

function NoProducts() {
  return (
    <Notice
      icon={Boxes}
      title="No products yet"
      action={<PrimaryLink to="/dashboard/add-product">Add Product</PrimaryLink>}
    >
      Products you add appear here and in the shop at once.
    </Notice>
  );
}

import { partPath } from '@parts-forge/contract/products/part-rules';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, ChartNoAxesColumn } from 'lucide';
import { Link } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { joinQueries, PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { BackLink } from '#app/ui/back-link.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { ledgerPath } from '../product-paths.ts';
import { productQueryOptions } from '../queries.ts';
import type { Route } from './+types/edit-part';
import { EditPartForm } from './edit-part-form.tsx';

export const clientLoader = ({ params }: Route.ClientLoaderArgs) =>
  prefetch(productQueryOptions(params.id), configQueryOptions());

export default function EditPart({ params: { id } }: Route.ComponentProps) {
  const product = useQuery(productQueryOptions(id));
  const config = useQuery(configQueryOptions());
  return (
    <>
      <PageHeading
        title="Edit part"
        above={<BackLink to="/dashboard/manage-products">Manage Products</BackLink>}
        actions={
          product.data && (
            <div className="flex flex-wrap gap-3">
              <Link to={ledgerPath(product.data)} className={getButtonClasses('line', 'bar', 'bg-base-100')}>
                <Icon of={ChartNoAxesColumn} className="size-4" />
                Stock ledger
              </Link>
              <Link to={partPath(product.data)} className={getButtonClasses('line', 'bar', 'bg-base-100')}>
                See in shop
                <Icon of={ArrowUpRight} className="size-4" />
              </Link>
            </div>
          )
        }
      />
      <QueryPanel
        query={joinQueries(product, config)}
        what="The part"
        skeleton={<PanelsSkeleton heights={['h-[60rem]']} />}
      >
        {([part, { images }]) => <EditPartForm key={id} product={part} rules={images} />}
      </QueryPanel>
    </>
  );
}

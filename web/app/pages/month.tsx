import { monthField } from '@parts-forge/contract/orders/overview';
import { prefetch } from '#app/calls/prefetch.ts';
import { readShopTimeZone } from '#app/calls/shop-config.ts';
import { Month } from '#app/overview/month.tsx';
import { findCurrentMonth } from '#app/overview/months.ts';
import { monthQueryOptions } from '#app/overview/queries.ts';
import type { Route } from './+types/month';

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const asked = monthField.safeParse(new URL(request.url).searchParams.get('month'));
  const month = asked.data ?? findCurrentMonth(await readShopTimeZone());
  prefetch(monthQueryOptions(month));
  return { month };
}

export default function MonthPage({ loaderData: { month } }: Route.ComponentProps) {
  return <Month key={month} month={month} />;
}

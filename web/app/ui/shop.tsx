import type { PageShop } from '@parts-forge/contract/people/identity';
import { useRouteLoaderData } from 'react-router';

/** Until the shop answers. */
export const unknownShop: PageShop = {
  name: 'Shop',
  tagline: '',
  description: '',
  address: [],
  links: [],
  picture: null,
};

/** From the root loader, which puts `GET /config` into every page. */
export const useShop = (): PageShop => useRouteLoaderData<{ shop: PageShop }>('root')?.shop ?? unknownShop;

export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · ${useShop().name}`}</title>;
}

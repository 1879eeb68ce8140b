import type { FirebaseProject, PageConfig, PageShop } from '@parts-forge/contract/people/identity';
import { useRouteLoaderData } from 'react-router';

/** What the root loader puts of `GET /config` into every page. */
export interface PageSettings
  extends Pick<PageConfig, 'contactEmail' | 'wishes' | 'taxPercent' | 'shop'>,
    Pick<PageConfig['identity'], 'google' | 'mail' | 'selfService'> {
  firebase: FirebaseProject | null;
  /** Of the shop's own pictures; empty when each has one file. */
  pictureWidths: readonly number[];
  seller: NonNullable<PageConfig['seller']> | null;
}

/** Until the shop answers. */
export const unknownShop: PageShop = {
  name: 'Shop',
  tagline: '',
  description: '',
  address: [],
  links: [],
  picture: null,
};

export const unknownSettings: PageSettings = {
  selfService: false,
  google: false,
  firebase: null,
  pictureWidths: [],
  contactEmail: null,
  mail: true,
  wishes: false,
  seller: null,
  shop: unknownShop,
};

export const usePageSettings = (): PageSettings =>
  useRouteLoaderData<PageSettings>('root') ?? unknownSettings;

export const useShop = (): PageShop => usePageSettings().shop;

export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · ${useShop().name}`}</title>;
}

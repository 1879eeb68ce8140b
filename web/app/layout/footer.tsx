import { ArrowUpRight } from 'lucide';
import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { Logo } from '#app/ui/logo.tsx';
import { usePageSettings, useShop } from '#app/ui/shop.tsx';

const quickLinks = [
  { to: '/', text: 'Home' },
  { to: '/blogs', text: 'Blogs' },
  { to: '/all-products', text: 'All Products' },
];
const cellClasses = 'p-5 md:p-6';
const linkClasses = 'pf-link inline-flex min-h-8 items-center';

export function Footer() {
  const { links } = useShop();
  return (
    <footer className="border-t border-base-300 bg-base-100 print:hidden">
      <div className="wrap py-10 md:py-14">
        <div className="grid grid-cols-2 border border-base-300 md:grid-cols-[1.5fr_1.2fr_1fr_1fr]">
          <ShopCell />
          <AddressCell />
          <nav
            aria-label="Quick links"
            className={`${links.length > 0 ? 'border-r border-base-300' : 'col-span-2'} ${cellClasses}`}
          >
            <h2 className="mb-2 text-micro text-muted">Quick links</h2>
            <ul>
              {quickLinks.map(({ to, text }) => (
                <li key={to}>
                  <Link className={linkClasses} to={to}>
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          {links.length > 0 && (
            <nav aria-label="Social" className={cellClasses}>
              <h2 className="mb-2 text-micro text-muted">Social</h2>
              <ul>
                {links.map(({ name, url }) => (
                  <li key={name}>
                    <a className={`${linkClasses} gap-1`} href={url} rel="noopener">
                      {name}
                      <Icon of={ArrowUpRight} className="size-3.5 text-muted" />
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </div>
      </div>
    </footer>
  );
}

function ShopCell() {
  const { name, tagline } = useShop();
  return (
    <div
      className={`col-span-2 flex flex-col justify-between gap-x-8 gap-y-3 border-base-300 max-md:border-b md:col-span-1 md:border-r ${cellClasses}`}
    >
      <p className="display flex items-center gap-2.5 text-h3 !font-semibold">
        <Logo />
        {name}
      </p>
      <p className="max-w-[30ch] text-sm text-muted">{tagline}</p>
    </div>
  );
}

function AddressCell() {
  const { seller } = usePageSettings();
  return (
    <div className={`col-span-2 border-base-300 max-md:border-b md:col-span-1 md:border-r ${cellClasses}`}>
      <h2 className="mb-3 text-micro text-muted">Address</h2>
      {seller && (
        <address className="whitespace-pre-line not-italic leading-6 [overflow-wrap:anywhere]">
          {[seller.name, ...seller.address].join('\n')}
        </address>
      )}
    </div>
  );
}

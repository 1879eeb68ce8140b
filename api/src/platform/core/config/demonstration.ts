/** The invented shop. Nothing else in the product names it. */
export const demonstration = {
  name: 'Parts Forge',
  tagline: 'Manufacturer of mobile-phone parts. Sold by the batch, paid by card.',
  /** Search engines show it for the home page. */
  description:
    'Displays, batteries, cameras and boards for mobile phones, from the manufacturer. Choose a part, set the quantity, pay by card.',
  address: ['48 Foundry Lane', 'Sheffield S3 8GG', 'United Kingdom'],
  /** The home pages, so that no account names are invented (contract, "Accounts"). */
  links: ['https://www.facebook.com/', 'https://www.instagram.com/', 'https://twitter.com/'],
  /** Open Graph, 1200 × 630; it shows the name. */
  picture: '/og.png',
};

/**
 * For each folder those that it may import besides itself. `npm run lint` refuses other imports and unused
 * rules.
 *
 * Tests may import their whole workspace and all that it may import; nothing imports tests.
 */
export const importRules = {
  contract: '',
  'embedded-postgres': '',
  'card-sandbox': '',

  // Must not import any domain.
  core: 'contract',
  database: 'contract core',
  docs: 'contract http core',
  http: 'contract core database',
  platform: 'core database',
  jobs: 'core database platform',

  // Domains write it; `activity` reads it.
  trail: 'contract core database',

  // Domains queue mails in their transactions; `mail` sends them.
  'mail-outbox': 'contract core database',

  // Reads files in a process apart.
  files: 'contract core',

  // Domains. Instead of a forbidden import a domain declares an interface, which `app.ts` implements.
  products: 'contract platform core database http trail',
  catalogue: 'contract platform core database http jobs files trail users identity products orders prices',
  users: 'contract platform core database http trail',
  reviews: 'contract platform core database http trail users',
  images: 'contract platform core database http users embedded-postgres',
  identity: 'contract platform core database http jobs trail mail-outbox users',
  wishes: 'contract platform core database http users products',
  prices: 'contract platform core database http trail mail-outbox users products',
  // Orders place the lists and remove their lines.
  batch: 'contract platform core database http files users products prices',
  orders: 'contract platform core database http trail mail-outbox users identity products prices batch',
  // Issued in the transaction of a payment or refund.
  invoices: 'contract platform core database trail users products orders',
  payments: 'contract platform core database http trail mail-outbox users orders invoices card-sandbox',
  events: 'contract platform core database http trail products orders',
  webhooks: 'contract platform core database http jobs trail mail-outbox users events',
  // See docs/decisions/0043.
  activity: 'contract platform core database http trail users identity products orders invoices payments',
  downloads:
    'contract platform core database http users products batch catalogue orders invoices payments activity',
  overview: 'contract platform http products orders invoices',
  mail: 'contract platform core database http jobs trail mail-outbox users products prices orders invoices wishes catalogue',
  consistency: 'contract core database http activity orders invoices payments trail',
  pages: 'contract platform core http',
  demo: 'contract platform core database trail users products prices reviews images orders invoices payments',

  // Database and pictures, without the domains' logic.
  backup: 'core database jobs orders images embedded-postgres',

  // The domains do not know it.
  doctor: 'contract core database identity invoices mail payments consistency',

  // `app.ts`, `services.ts` and `jobs.ts` join the domains for `process`.
  app: 'contract platform core database http docs jobs mail-outbox products catalogue users reviews images identity prices batch wishes invoices orders payments overview activity downloads mail consistency pages events webhooks',
  // Writes docs/reference from the code's descriptions.
  reference: 'contract core http docs jobs payments mail app',
  process:
    'contract core database jobs products images identity invoices orders payments events webhooks demo backup doctor app embedded-postgres',

  // Pages know the calls, never the server.
  'web-http': 'contract',
  'web-session': 'contract web-http web-ui',
  'web-jsx': '',
  'web-ui': 'contract',
  'web-pictures': '',
  'web-styles': '',
  'web-errors': 'contract web-http web-ui',
  'web-calls': 'contract web-http web-session web-errors web-ui',
  'web-forms': 'web-http web-session web-errors web-ui',
  'web-dashboard': 'contract web-calls web-errors web-ui',

  'web-downloads': 'contract web-calls web-errors web-ui',

  // Domains of the pages. The batch is lowest: every page may add parts.
  'web-batch': 'contract web-session web-calls web-errors web-ui',
  'web-rows': 'contract web-forms web-ui',
  'web-users': 'contract web-http web-session web-calls web-errors web-forms web-dashboard web-rows web-ui',
  'web-identity':
    'contract web-http web-session web-calls web-errors web-forms web-ui web-pictures web-users',
  'web-account':
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-ui web-identity web-users',
  'web-reviews': 'contract web-http web-dashboard web-identity web-calls web-errors web-forms web-ui',
  'web-products':
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-rows web-ui web-batch web-users web-identity web-styles',
  // Sending orders, of one part or of a batch.
  'web-placing': 'contract web-calls web-errors web-forms web-http web-identity web-ui',
  'web-orders':
    'contract web-http web-calls web-errors web-forms web-dashboard web-rows web-ui web-batch web-users web-identity web-products web-placing web-trail web-downloads',
  'web-payments':
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-layout web-downloads web-products web-placing web-orders',
  'web-own-names': 'contract web-calls web-forms web-dashboard web-ui web-products web-downloads',
  // Prices that customers ask for, and those that were agreed.
  'web-prices':
    'contract web-http web-calls web-errors web-forms web-dashboard web-rows web-ui web-users web-products',
  'web-batch-page':
    'contract web-http web-calls web-errors web-forms web-dashboard web-rows web-ui web-batch web-users web-identity web-products web-placing web-orders web-own-names web-prices',
  'web-trail': 'contract web-ui',
  'web-activity': 'contract web-calls web-dashboard web-ui web-products web-downloads web-trail',
  'web-overview': 'contract web-calls web-downloads web-dashboard web-ui web-products',
  'web-customers':
    'contract web-identity web-calls web-errors web-forms web-dashboard web-ui web-users web-orders',
  'web-stock':
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-products web-downloads',
  'web-connections': 'contract web-session web-identity web-calls web-errors web-forms web-dashboard web-ui',
  'web-mail': 'contract web-calls web-dashboard web-ui web-layout',
  'web-layout': 'contract web-http web-errors web-ui web-pictures web-batch web-users web-identity',
  'web-pages':
    'contract web-session web-calls web-errors web-dashboard web-ui web-pictures web-batch web-users web-identity web-reviews web-products web-placing web-orders web-prices web-overview web-layout web-root web-styles',
  'web-root': 'contract web-session web-forms web-ui web-layout web-styles',
  'web-build': 'web-root',
};

/** Folders that are elsewhere than their names say; the first that matches a file counts. */
const patterns = {
  contract: 'contract/src/**',
  'embedded-postgres': 'packages/embedded-postgres/src/**',
  'card-sandbox': 'packages/card-sandbox/src/**',
  core: 'api/src/platform/core/**',
  database: 'api/src/platform/database/**',
  docs: 'api/src/platform/http/docs/**',
  http: 'api/src/platform/http/**',
  platform: 'api/src/platform/*',
  jobs: 'api/src/platform/jobs/**',
  app: 'api/src/*',
  'web-styles': 'web/app/*.css',
  'web-root': 'web/app/*',
  'web-build': 'web/*',
};

export const patternOf = (name) =>
  patterns[name] ?? (name.startsWith('web-') ? `web/app/${name.slice(4)}/**` : `api/src/${name}/**`);

/**
 * Which folder may import which, types included: its name, its files (the first line that fits counts), and the
 * folders that it may import beside itself. What is not written here is not allowed, and what nothing uses any more
 * is taken out. `npm run lint` holds every import against it.
 *
 * Tests are not in it: they may import their whole workspace and all that it may import, and nothing imports them.
 */
export const importRules = [
  ['contract', 'contract/src/**', ''],
  ['embedded-postgres', 'packages/embedded-postgres/src/**', ''],
  ['card-sandbox', 'packages/card-sandbox/src/**', ''],

  // What every domain stands on. It knows no shop: nothing here may import a domain.
  ['core', 'api/src/platform/core/**', 'contract'],
  ['database', 'api/src/platform/database/**', 'contract core'],
  ['docs', 'api/src/platform/http/docs/**', 'contract http core'],
  ['http', 'api/src/platform/http/**', 'contract core database'],
  ['platform', 'api/src/platform/*', 'core database'],
  ['jobs', 'api/src/platform/jobs/**', 'core database platform'],

  // Who did what. Domains write it; the activity reads it together with what its ids mean.
  ['trail', 'api/src/trail/**', 'contract core database'],

  // What is to be mailed. Domains write it in the transaction of what it tells; `mail` sends it.
  ['mail-outbox', 'api/src/mail-outbox/**', 'contract core database'],

  // The domains. Where one needs another that may not be imported, it declares an interface that `app.ts` joins.
  ['products', 'api/src/products/**', 'contract platform core database http trail'],
  ['users', 'api/src/users/**', 'contract platform core database http trail'],
  ['reviews', 'api/src/reviews/**', 'contract platform core database http trail users'],
  ['images', 'api/src/images/**', 'contract platform core database http users'],
  ['identity', 'api/src/identity/**', 'contract platform core database http trail mail-outbox users'],
  // What customers put together; orders place it, and take it out of the list in their own statement.
  ['batch', 'api/src/batch/**', 'contract platform core database http users products'],
  ['orders', 'api/src/orders/**', 'contract platform core database http trail mail-outbox users products'],
  // Issued in the transaction that records a payment or a refund, so payments call them.
  ['invoices', 'api/src/invoices/**', 'contract platform core database trail products orders'],
  [
    'payments',
    'api/src/payments/**',
    'contract platform core database http trail mail-outbox users orders invoices card-sandbox',
  ],
  // Reads what the domains have written; see docs/decisions/0043.
  [
    'activity',
    'api/src/activity/**',
    'contract platform core database http trail users products orders payments',
  ],
  // Hands out as files what the others have.
  [
    'downloads',
    'api/src/downloads/**',
    'contract platform core database http users products orders invoices activity',
  ],
  // How the shop does.
  ['overview', 'api/src/overview/**', 'contract platform http products orders'],
  // Says what the outbox has, and sends it.
  ['mail', 'api/src/mail/**', 'contract platform core database http trail mail-outbox users products orders'],
  // Compares what the others have written down.
  ['consistency', 'api/src/consistency/**', 'database activity payments'],
  ['pages', 'api/src/pages/**', 'contract platform core http'],
  [
    'demo',
    'api/src/demo/**',
    'contract platform core database trail users products reviews images orders payments',
  ],

  // Copies a whole shop: what its database and its pictures are, not what the domains do with them.
  ['backup', 'api/src/backup/**', 'core database jobs orders images embedded-postgres'],

  // Looks at every service that the settings name; the domains know nothing of it.
  ['doctor', 'api/src/doctor/**', 'contract core database identity mail payments'],

  // `app.ts`, `services.ts` and `jobs.ts` join the domains; `process` starts and ends what they join.
  [
    'app',
    'api/src/*',
    'contract platform core database http docs jobs mail-outbox products users reviews images identity batch invoices orders payments overview activity downloads mail consistency pages',
  ],
  [
    'process',
    'api/src/process/**',
    'contract core database jobs products images identity invoices orders payments demo backup doctor app embedded-postgres',
  ],

  // The pages know the calls and never the server. `calls` makes them, with what `session` knows of the sign-in.
  ['web-http', 'web/app/http/**', 'contract'],
  ['web-session', 'web/app/session/**', 'contract web-http'],
  ['web-ui', 'web/app/ui/**', 'contract'],
  ['web-pictures', 'web/app/pictures/**', ''],
  ['web-styles', 'web/app/*.css', ''],
  ['web-errors', 'web/app/errors/**', 'contract web-http web-ui'],
  ['web-calls', 'web/app/calls/**', 'contract web-http web-session web-errors'],
  ['web-forms', 'web/app/forms/**', 'web-http web-session web-errors web-ui'],
  ['web-dashboard', 'web/app/dashboard/**', 'contract web-calls web-errors web-ui'],

  // Files to download: lists and orders offer them.
  ['web-downloads', 'web/app/downloads/**', 'contract web-calls web-errors web-ui'],

  // The domains of the pages. The batch stands below the others: parts are added to it from everywhere.
  ['web-batch', 'web/app/batch/**', 'contract web-session web-calls web-errors web-ui'],
  [
    'web-users',
    'web/app/users/**',
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-ui',
  ],
  [
    'web-identity',
    'web/app/identity/**',
    'contract web-http web-session web-calls web-errors web-forms web-ui web-users',
  ],
  [
    'web-account',
    'web/app/account/**',
    'contract web-http web-session web-calls web-errors web-forms web-ui web-identity',
  ],
  [
    'web-reviews',
    'web/app/reviews/**',
    'contract web-http web-session web-calls web-errors web-forms web-ui',
  ],
  [
    'web-products',
    'web/app/products/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-identity web-styles',
  ],
  [
    'web-orders',
    'web/app/orders/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-batch web-users web-identity web-products web-trail web-downloads',
  ],
  [
    'web-payments',
    'web/app/payments/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-layout web-products web-orders',
  ],
  [
    'web-batch-page',
    'web/app/batch-page/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-batch web-identity web-products web-orders',
  ],
  // How entries of the trail read.
  ['web-trail', 'web/app/trail/**', 'contract web-ui'],
  [
    'web-activity',
    'web/app/activity/**',
    'contract web-calls web-dashboard web-ui web-products web-downloads web-trail',
  ],
  ['web-overview', 'web/app/overview/**', 'contract web-calls web-errors web-dashboard web-ui web-products'],
  [
    'web-customers',
    'web/app/customers/**',
    'contract web-calls web-errors web-dashboard web-ui web-users web-orders web-products',
  ],
  [
    'web-stock',
    'web/app/stock/**',
    'contract web-calls web-errors web-forms web-dashboard web-ui web-products web-downloads',
  ],
  ['web-mail', 'web/app/mail/**', 'contract web-calls web-errors web-dashboard web-ui'],
  [
    'web-layout',
    'web/app/layout/**',
    'contract web-http web-errors web-ui web-pictures web-batch web-identity',
  ],
  [
    'web-pages',
    'web/app/pages/**',
    'contract web-session web-calls web-errors web-dashboard web-ui web-pictures web-batch web-users web-identity web-account web-reviews web-products web-orders web-payments web-batch-page web-stock web-mail web-overview web-activity web-customers web-layout web-root web-styles',
  ],
  // The page of every component in every state, in development alone.
  [
    'web-dev',
    'web/app/dev/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-users web-identity web-account web-reviews web-products web-orders web-payments web-layout web-pictures',
  ],
  ['web-root', 'web/app/*', 'contract web-session web-forms web-layout web-styles'],
  ['web-build', 'web/*', 'web-root'],
];

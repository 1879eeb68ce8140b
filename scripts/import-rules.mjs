/**
 * Name, files (first match counts), and the folders it may import besides itself. `npm run lint` refuses
 * other imports and unused rules.
 *
 * Tests may import their whole workspace and all that it may import; nothing imports tests.
 */
export const importRules = [
  ['contract', 'contract/src/**', ''],
  ['embedded-postgres', 'packages/embedded-postgres/src/**', ''],
  ['card-sandbox', 'packages/card-sandbox/src/**', ''],

  // Must not import any domain.
  ['core', 'api/src/platform/core/**', 'contract'],
  ['database', 'api/src/platform/database/**', 'contract core'],
  ['docs', 'api/src/platform/http/docs/**', 'contract http core'],
  ['http', 'api/src/platform/http/**', 'contract core database'],
  ['platform', 'api/src/platform/*', 'core database'],
  ['jobs', 'api/src/platform/jobs/**', 'core database platform'],

  // Domains write it; `activity` reads it.
  ['trail', 'api/src/trail/**', 'contract core database'],

  // Domains queue mails in their transactions; `mail` sends them.
  ['mail-outbox', 'api/src/mail-outbox/**', 'contract core database'],

  // Domains. Instead of a forbidden import a domain declares an interface, which `app.ts` implements.
  ['products', 'api/src/products/**', 'contract platform core database http trail'],
  ['catalogue', 'api/src/catalogue/**', 'contract platform core database http trail users identity products'],
  ['users', 'api/src/users/**', 'contract platform core database http trail'],
  ['reviews', 'api/src/reviews/**', 'contract platform core database http trail users'],
  ['images', 'api/src/images/**', 'contract platform core database http users'],
  ['identity', 'api/src/identity/**', 'contract platform core database http trail mail-outbox users'],
  ['wishes', 'api/src/wishes/**', 'contract platform core database http users products'],
  // Orders place the lists and remove their lines.
  ['batch', 'api/src/batch/**', 'contract platform core database http users products'],
  ['orders', 'api/src/orders/**', 'contract platform core database http trail mail-outbox users products'],
  // Issued in the transaction of a payment or refund.
  ['invoices', 'api/src/invoices/**', 'contract platform core database trail users products orders'],
  [
    'payments',
    'api/src/payments/**',
    'contract platform core database http trail mail-outbox users orders invoices card-sandbox',
  ],
  ['events', 'api/src/events/**', 'contract platform core database http trail orders'],
  ['webhooks', 'api/src/webhooks/**', 'contract platform core database http trail users events'],
  // See docs/decisions/0043.
  [
    'activity',
    'api/src/activity/**',
    'contract platform core database http trail users identity products orders payments',
  ],
  [
    'downloads',
    'api/src/downloads/**',
    'contract platform core database http users products catalogue orders invoices activity',
  ],
  ['overview', 'api/src/overview/**', 'contract platform http products orders invoices'],
  [
    'mail',
    'api/src/mail/**',
    'contract platform core database http trail mail-outbox users products orders wishes',
  ],
  ['consistency', 'api/src/consistency/**', 'contract database http activity orders invoices payments trail'],
  ['pages', 'api/src/pages/**', 'contract platform core http'],
  [
    'demo',
    'api/src/demo/**',
    'contract platform core database trail users products reviews images orders invoices payments',
  ],

  // Database and pictures, without the domains' logic.
  ['backup', 'api/src/backup/**', 'core database jobs orders images embedded-postgres'],

  // The domains do not know it.
  ['doctor', 'api/src/doctor/**', 'contract core database identity mail payments consistency'],

  // `app.ts`, `services.ts` and `jobs.ts` join the domains for `process`.
  [
    'app',
    'api/src/*',
    'contract platform core database http docs jobs mail-outbox products catalogue users reviews images identity batch wishes invoices orders payments overview activity downloads mail consistency pages events webhooks',
  ],
  // Writes docs/reference from the code's descriptions.
  ['reference', 'api/src/reference/**', 'contract core http docs jobs payments mail app'],
  [
    'process',
    'api/src/process/**',
    'contract core database jobs products images identity invoices orders payments events webhooks demo backup doctor app embedded-postgres',
  ],

  // Pages know the calls, never the server.
  ['web-http', 'web/app/http/**', 'contract'],
  ['web-session', 'web/app/session/**', 'contract web-http'],
  ['web-jsx', 'web/app/jsx/**', ''],
  ['web-ui', 'web/app/ui/**', 'contract'],
  ['web-pictures', 'web/app/pictures/**', ''],
  ['web-styles', 'web/app/*.css', ''],
  ['web-errors', 'web/app/errors/**', 'contract web-http web-ui'],
  ['web-calls', 'web/app/calls/**', 'contract web-http web-session web-errors'],
  ['web-forms', 'web/app/forms/**', 'web-http web-session web-errors web-ui'],
  ['web-dashboard', 'web/app/dashboard/**', 'contract web-calls web-errors web-ui'],

  ['web-downloads', 'web/app/downloads/**', 'contract web-calls web-errors web-ui'],

  // Domains of the pages. The batch is lowest: every page may add parts.
  ['web-batch', 'web/app/batch/*', 'contract web-session web-calls web-errors web-ui'],
  ['web-rows', 'web/app/rows/**', 'contract web-forms web-ui'],
  [
    'web-users',
    'web/app/users/**',
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-rows web-ui',
  ],
  [
    'web-identity',
    'web/app/identity/**',
    'contract web-http web-session web-calls web-errors web-forms web-ui web-users',
  ],
  [
    'web-account',
    'web/app/account/**',
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-ui web-identity',
  ],
  [
    'web-reviews',
    'web/app/reviews/**',
    'contract web-http web-session web-calls web-errors web-forms web-ui',
  ],
  [
    'web-products',
    'web/app/products/**',
    'contract web-http web-session web-calls web-errors web-forms web-dashboard web-rows web-ui web-batch web-users web-identity web-styles',
  ],
  [
    'web-orders',
    'web/app/orders/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-rows web-ui web-batch web-users web-identity web-products web-trail web-downloads',
  ],
  [
    'web-payments',
    'web/app/payments/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-identity web-layout web-downloads web-products web-orders',
  ],
  [
    'web-batch-page',
    'web/app/batch-page/**',
    'contract web-http web-calls web-errors web-forms web-dashboard web-ui web-batch web-identity web-products web-orders',
  ],
  ['web-trail', 'web/app/trail/**', 'contract web-ui'],
  [
    'web-activity',
    'web/app/activity/**',
    'contract web-calls web-dashboard web-ui web-products web-downloads web-trail',
  ],
  [
    'web-overview',
    'web/app/overview/**',
    'contract web-calls web-downloads web-dashboard web-ui web-products',
  ],
  [
    'web-customers',
    'web/app/customers/**',
    'contract web-calls web-errors web-dashboard web-ui web-users web-orders',
  ],
  [
    'web-stock',
    'web/app/stock/**',
    'contract web-calls web-errors web-forms web-dashboard web-ui web-products web-downloads',
  ],
  [
    'web-connections',
    'web/app/connections/**',
    'contract web-session web-calls web-errors web-dashboard web-ui web-orders',
  ],
  ['web-mail', 'web/app/mail/**', 'contract web-calls web-dashboard web-ui'],
  [
    'web-layout',
    'web/app/layout/**',
    'contract web-http web-errors web-ui web-pictures web-batch web-identity',
  ],
  [
    'web-pages',
    'web/app/pages/**',
    'contract web-session web-calls web-errors web-dashboard web-ui web-pictures web-batch web-users web-identity web-account web-reviews web-products web-orders web-payments web-batch-page web-stock web-mail web-overview web-activity web-connections web-customers web-layout web-root web-styles',
  ],
  ['web-root', 'web/app/*', 'contract web-session web-forms web-ui web-layout web-styles'],
  ['web-build', 'web/*', 'web-root'],
];

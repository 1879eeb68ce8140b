/** Names with `demo-` never exist at Google. */
export const PROJECT = {
  projectId: 'demo-shop',
  apiKey: 'demo-api-key-of-the-tests',
  /** The shop's own host. The emulator permits localhost and hosts below it. */
  authDomain: 'shop.localhost',
};

/** Signs in by Google. */
export const ADMIN_EMAIL = 'chief@parts-forge.example';

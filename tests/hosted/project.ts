/** Names with `demo-` never exist at Google. */
export const PROJECT = {
  projectId: 'demo-shop',
  apiKey: 'demo-api-key-of-the-tests',
  authDomain: 'demo-shop.firebaseapp.com',
};

/** Signs in by Google. */
export const ADMIN_EMAIL = 'chief@parts-forge.example';

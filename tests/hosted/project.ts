/** The project of the tests. A name with `demo-` never exists at Google. */
export const PROJECT = {
  projectId: 'demo-shop',
  apiKey: 'demo-api-key-of-the-tests',
  authDomain: 'demo-shop.firebaseapp.com',
};

/** The first administrator, who signs in by Google. */
export const ADMIN_EMAIL = 'chief@parts-forge.example';

/** Explains `pending` to customers. */
export const PENDING_NOTE =
  'It is paid. The shop confirms the payment and then ships; there is nothing left for you to do.';

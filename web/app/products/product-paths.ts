/** The addresses of a part's pages for administrators. */

/** Where its fields are edited. */
export const editPath = ({ _id }: { _id: string }): string => `/dashboard/manage-products/${_id}`;

/** Where its stock ledger is. */
export const ledgerPath = ({ _id }: { _id: string }): string => `${editPath({ _id })}/stock`;

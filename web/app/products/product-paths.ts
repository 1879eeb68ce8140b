/** Addresses of a part's pages for administrators. */

export const editPath = ({ _id }: { _id: string }): string => `/dashboard/manage-products/${_id}`;

export const ledgerPath = ({ _id }: { _id: string }): string => `${editPath({ _id })}/stock`;

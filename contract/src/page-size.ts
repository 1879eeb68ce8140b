/** How many our own pages ask for. */
export const PAGE_SIZE = 24;

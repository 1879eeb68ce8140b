/** At the foot of a narrow window, where a thumb is. */
export const barAtFoot =
  'flex flex-wrap items-center justify-between gap-x-4 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-t max-lg:border-base-300 max-lg:bg-base-100 max-lg:px-[var(--gutter)] max-lg:pt-3 max-lg:pb-[calc(0.75rem+env(safe-area-inset-bottom))]';

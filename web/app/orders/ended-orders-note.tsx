import { Banner } from '#app/ui/banner.tsx';

/** Tells that the search matched closed orders only. */
export function EndedOrdersNote({ q }: { q: string }) {
  return (
    <Banner kind="info" className="mb-6 bg-base-100">
      <p className="[overflow-wrap:anywhere]">
        No open order matches “{q}”. These were cancelled, refunded or have expired.
      </p>
    </Banner>
  );
}

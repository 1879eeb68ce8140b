import { Banner } from '#app/ui/banner.tsx';

/** Says that what is listed has ended, as nothing that stands has the text. */
export function EndedOrdersNote({ q }: { q: string }) {
  return (
    <Banner kind="info" className="mb-6 bg-base-100">
      <p className="[overflow-wrap:anywhere]">
        No open order matches “{q}”. These were cancelled, refunded or have expired.
      </p>
    </Banner>
  );
}

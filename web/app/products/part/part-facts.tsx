import { describeDelivery, modelPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { Link } from 'react-router';

type PartFactsProps = Pick<
  Product,
  'alsoKnownAs' | 'attributes' | 'fits' | 'deliveryDays' | 'availableUntil'
>;

export function PartFacts({ fits, deliveryDays, availableUntil, ...part }: PartFactsProps) {
  const attributes = [
    ...part.attributes,
    ...(deliveryDays === null ? [] : [{ name: 'Delivery', value: describeDelivery(deliveryDays) }]),
    ...(part.alsoKnownAs.length === 0 ? [] : [{ name: 'Also known as', value: part.alsoKnownAs.join(', ') }]),
    ...(availableUntil === null ? [] : [{ name: 'Available until', value: String(availableUntil) }]),
  ];
  return (
    <div className="grid gap-10 self-start">
      {attributes.length > 0 && (
        <section aria-labelledby="specification-heading">
          <h2 id="specification-heading" className="display mb-4 text-h3">
            Specification
          </h2>
          <dl className="pf-spec grid gap-x-10 border-b border-base-300 md:grid-cols-2">
            {attributes.map(({ name, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two attributes may have the same name.
              <div key={index}>
                <dt className="min-w-0 shrink-0 [overflow-wrap:anywhere]">{name}</dt>
                <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {fits.length > 0 && (
        <section aria-labelledby="fits-heading">
          <h2 id="fits-heading" className="display mb-4 text-h3">
            Fits
          </h2>
          <ul className="flex flex-wrap gap-2">
            {fits.map((model) => (
              <li key={model} className="pf-quiet min-w-0 [overflow-wrap:anywhere]">
                <Link className="pf-link" to={modelPath(model)}>
                  {model}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

import { useShop } from '#app/ui/shop.tsx';

/** Specification §1 and §9. */
const counters = [
  { figure: '100', label: 'customers' },
  { figure: '120M', label: 'annual revenue' },
  { figure: '33K', label: 'reviews' },
  { figure: '50', label: 'tools' },
];
const borders = ['', 'lg:border-l lg:pl-8 max-lg:border-l max-lg:pl-6', 'lg:border-l lg:pl-8'];

export function Counters() {
  return (
    <section className="bg-band text-band-content" aria-labelledby="figures">
      <h2 id="figures" className="sr-only">
        {`${useShop().name} in figures`}
      </h2>
      <div className="pf-ruler text-band-muted/50" aria-hidden="true" />
      <dl className="wrap grid min-[15rem]:grid-cols-2 py-12 md:py-16 lg:grid-cols-4">
        {counters.map(({ figure, label }, index) => (
          <div
            key={label}
            className={`flex flex-col-reverse justify-end gap-2 border-band-line py-4 ${borders[index === 3 ? 1 : index]}`}
          >
            <dt className="text-band-muted">{label}</dt>
            <dd className="display min-[15rem]:whitespace-nowrap text-figure !font-[480]">
              {figure}
              <span className="text-band-accent">+</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

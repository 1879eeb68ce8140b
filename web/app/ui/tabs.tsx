import { Link, useSearchParams } from 'react-router';
import { formatTotal } from './format-total.ts';

interface TabsProps {
  label: string;
  /** The address's search parameter that keeps the chosen tab. */
  parameter: string;
  /** `value` is empty for the default. */
  tabs: readonly { value: string; name: string; count?: number | string | undefined }[];
  now: string;
}

/** Parts of a list, each a link. */
export function Tabs({ label, parameter, tabs, now }: TabsProps) {
  const [search] = useSearchParams();
  return (
    <nav aria-label={label} className="pf-tabs">
      {tabs.map(({ value, name, count }) => {
        const address = new URLSearchParams(search);
        if (value === '') address.delete(parameter);
        else address.set(parameter, value);
        return (
          <Link
            key={name}
            to={{ search: address.toString() }}
            replace
            preventScrollReset
            aria-current={now === value ? 'true' : undefined}
          >
            {name}
            {count !== undefined && <span className="num">{formatTotal(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

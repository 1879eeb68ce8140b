import { Link } from 'react-router';
import { getButtonClasses } from './button.tsx';

/** Looks like the primary button. */
export const PrimaryLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className={getButtonClasses('primary')}>
    {children}
  </Link>
);

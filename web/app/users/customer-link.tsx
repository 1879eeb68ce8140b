import { Link } from 'react-router';

/** In a row; leads to the person's page. */
export const CustomerLink = ({ name, email }: { name: string; email: string }) => (
  <Link
    className="line hover:underline"
    dir="auto"
    title={name}
    to={`/dashboard/customers/${encodeURIComponent(email)}`}
  >
    {name}
  </Link>
);

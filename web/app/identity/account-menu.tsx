import { NavLink } from 'react-router';

/** The account's place in the bar: Login for a visitor. */
export function AccountMenu() {
  return <LoginLink className="btn btn-line h-10 max-lg:hidden" />;
}

/** The way to /login, shown to visitors only. */
export function LoginLink({ className }: { className: string }) {
  return (
    <NavLink to="/login" className={className}>
      Login
    </NavLink>
  );
}

import { redirect } from 'react-router';

/** /dashboard leads to my-profile (contract, "Accounts"). */
export function clientLoader() {
  return redirect('/dashboard/my-profile');
}

export default function DashboardIndex() {
  return null;
}

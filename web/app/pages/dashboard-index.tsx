import { redirect } from 'react-router';

/** Contract, "Accounts". */
export function clientLoader() {
  return redirect('/dashboard/my-profile');
}

export default function DashboardIndex() {
  return null;
}

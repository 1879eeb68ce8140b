import { redirect } from 'react-router';

export function clientLoader() {
  return redirect('/dashboard/my-profile');
}

export default function DashboardIndex() {
  return null;
}

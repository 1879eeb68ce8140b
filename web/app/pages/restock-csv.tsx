import { redirect } from 'react-router';

/** The page's former address. */
export function clientLoader() {
  return redirect('/dashboard/catalogue-file');
}

export default function RestockCsv() {
  return null;
}

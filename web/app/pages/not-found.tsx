import { data } from 'react-router';

export function loader() {
  return data(null, { status: 404 });
}

export { NotFoundPage as default } from '#app/layout/not-found-page.tsx';

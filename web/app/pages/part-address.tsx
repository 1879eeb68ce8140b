/** The address without the part's name, as in QR codes: it survives a rename. Redirects, or names what fits instead. */
export { default, loader, meta } from './part.tsx';

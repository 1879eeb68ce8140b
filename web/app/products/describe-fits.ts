/** `Fits iPhone 13, +3` */
export function describeFits(fits: readonly string[], named: number): string {
  const others = fits.length - named;
  return `Fits ${fits.slice(0, named).join(', ')}${others > 0 ? `, +${others}` : ''}`;
}

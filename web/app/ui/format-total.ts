/** The number of a list's rows: `57`, `4,118`, and for `1000+`, beyond the counted range, `at least 1,000`. */
export function formatTotal(total: number | string): string {
  const number = Number.parseInt(String(total), 10).toLocaleString('en');
  return String(total).endsWith('+') ? `at least ${number}` : number;
}

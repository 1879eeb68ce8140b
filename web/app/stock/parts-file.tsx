import { PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { listProducts, type Product } from '@parts-forge/contract/products';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide';
import { callList } from '#app/calls/api-client.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { Icon } from '#app/ui/icon.tsx';
import { saveFile } from '#app/ui/save-file.ts';
import { writeCsv } from './write-csv.ts';

/** A file of all parts with `add` and `price` still empty. */
export function PartsFile() {
  const save = useMutation({
    mutationFn: readAllProducts,
    onSuccess: (products) => {
      const rows = products.map(({ number, name, quantity, price }) => [
        number,
        '',
        '',
        name,
        quantity,
        price,
      ]);
      const head = ['number', 'add', 'price', 'name', 'stock now', 'price now'];
      saveFile('parts.csv', writeCsv([head, ...rows]), 'text/csv');
    },
  });
  return (
    <>
      <button
        type="button"
        className="pf-link mt-2 inline-flex min-h-8 cursor-pointer items-center gap-1.5 text-left text-sm font-medium"
        aria-busy={save.isPending || undefined}
        onClick={() => !save.isPending && save.mutate()}
      >
        <Icon of={Download} className="size-4 shrink-0" />
        {save.isPending ? 'Reading all parts…' : 'All parts as a file to fill in'}
      </button>
      {save.error && (
        <p role="alert" className="mt-1 text-sm text-error">
          {describeError(save.error)} Try again.
        </p>
      )}
    </>
  );
}

async function readAllProducts(): Promise<Product[]> {
  const products: Product[] = [];
  let after: string | null = null;
  do {
    const query = { limit: String(PAGE_LIMIT), sort: 'name' as const, ...(after !== null && { after }) };
    const page: Awaited<ReturnType<typeof callList<typeof listProducts>>> = await callList(listProducts, {
      query,
    });
    products.push(...page.rows);
    after = page.nextCursor;
  } while (after !== null);
  return products;
}

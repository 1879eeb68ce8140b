import { countPieces } from '@parts-forge/contract/files/number-text';
import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import { refuseQuantity, stepQuantity } from '@parts-forge/contract/orders/quantity';
import { isAvailable, type ProductSort, partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { Check } from 'lucide';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useBatch } from '#app/batch/use-batch.ts';
import { Expected } from '#app/products/expected.tsx';
import { PartPrice } from '#app/products/part-price.tsx';
import { buildListAddress, type ProductFilter } from '#app/products/product-filter.ts';
import { RowPart } from '#app/products/row-part.tsx';
import { moveFocus, type WorkColumn, WorkTable } from '#app/rows/work-table.tsx';
import { Button } from '#app/ui/button.tsx';
import { FieldError } from '#app/ui/field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { taxWords, useOwnPrice } from '#app/users/own-prices.ts';
import '#app/signed-in.css';

interface PartsTableProps {
  products: readonly Product[];
  filter: ProductFilter;
}

/** All Products as rows to order from: Enter in a quantity adds it and moves on. */
export function PartsTable({ products, filter }: PartsTableProps) {
  const navigate = useNavigate();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const own = useOwnPrice(products);
  const [first] = products.map(own);
  const columns: WorkColumn<Product>[] = [
    {
      head: 'Part',
      place: 'part',
      sorts: { up: 'name' },
      cell: (product) => (
        <RowPart image={product.image} size="size-10">
          <Link className="line hover:underline" dir="auto" title={product.name} to={partPath(product)}>
            {product.name}
          </Link>
          <Expected product={product} />
        </RowPart>
      ),
    },
    { head: 'Number', place: 'no', cell: ({ number }) => <span className="num line">{number}</span> },
    {
      head: `Price${first ? taxWords(first) : ''}`,
      place: 'sum',
      right: true,
      sorts: { down: '-price', up: 'price' },
      cell: (part) => <Price own={own(part)} />,
    },
    { head: 'Quantity', place: 'stock', right: true, cell: ({ quantity }) => formatPieces(quantity) },
    {
      head: 'Minimum',
      place: 'min',
      right: true,
      cell: ({ minimumOrder, orderStep }) => (
        <span>
          {formatPieces(minimumOrder)}
          {orderStep > 1 && <span className="sub">steps of {formatPieces(orderStep)}</span>}
        </span>
      ),
    },
    {
      head: 'Add to batch',
      place: 'act',
      cell: (product) =>
        isAvailable(product) ? (
          <AddToBatch
            product={product}
            refusal={refused[product._id]}
            refuse={(message = '') => setRefused((before) => ({ ...before, [product._id]: message }))}
          />
        ) : (
          <StatusChip status="stop">Out of stock</StatusChip>
        ),
    },
  ];
  const sort = (to: string) =>
    navigate(buildListAddress({ ...filter, sort: to as ProductSort, after: null }), {
      preventScrollReset: true,
    });
  return (
    <WorkTable
      kind="list"
      caption="Parts"
      columns={columns}
      rows={products}
      nameRow={({ name }) => name}
      sort={{ now: filter.sort, change: (to) => void sort(to) }}
      renderNotice={({ _id }) =>
        refused[_id] && <FieldError id={`refused-${_id}`}>{refused[_id]}</FieldError>
      }
    />
  );
}

function Price({ own }: { own: Product }) {
  const centsFor = (quantity: number) => unitPriceFor(quantity, own);
  // An agreed price may be as low already.
  const next = own.priceBreaks.find(({ quantity }) => centsFor(quantity) < centsFor(own.minimumOrder));
  return (
    <span>
      <PartPrice part={own} />
      {/* The table's head says it from there on. */}
      <span className="sub font-normal lg:!hidden">{taxWords(own)}</span>
      {next && (
        <span className="sub font-normal">{`${formatCents(centsFor(next.quantity))} from ${formatPieces(next.quantity)}`}</span>
      )}
    </span>
  );
}

interface AddToBatchProps {
  product: Product;
  refusal: string | undefined;
  /** Nothing once the quantity can be ordered. */
  refuse: (message?: string) => void;
}

/** An empty field adds the minimum order. */
function useQuickAdd({ product, refuse }: Pick<AddToBatchProps, 'product' | 'refuse'>) {
  const { _id, minimumOrder, orderStep } = product;
  const { add } = useBatch();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [state, setState] = useState<'ready' | 'adding' | 'added'>('ready');
  const type = (typed: string) => {
    setText(typed);
    setState('ready');
    refuse();
  };
  const press = async (isByEnter = false) => {
    const wanted = text.trim() || String(minimumOrder);
    const problem = refuseQuantity(wanted, product);
    refuse(problem?.message);
    if (problem) return input.current?.focus();
    if (isByEnter && input.current) moveFocus(input.current, 1);
    setText(wanted);
    setState('adding');
    setState((await add(_id, countPieces(wanted), true)) ? 'added' : 'ready');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = (by: 1 | -1) => {
      const stepped = text ? stepQuantity(countPieces(text), by, orderStep) : minimumOrder;
      type(String(Math.max(stepped, minimumOrder)));
      // Digits replace the new quantity, too.
      queueMicrotask(() => input.current?.select());
    };
    if (event.key === 'ArrowUp') step(1);
    else if (event.key === 'ArrowDown') step(-1);
    else if (event.key === 'Enter') state === 'ready' && void press(true);
    else return;
    event.preventDefault();
  };
  return { input, text, state, type, press, onKeyDown };
}

function AddToBatch({ product, refusal, refuse }: AddToBatchProps) {
  const { _id, name, minimumOrder } = product;
  const { input, text, state, type, press, onKeyDown } = useQuickAdd({ product, refuse });
  const isAdded = state === 'added';
  return (
    <span>
      <input
        ref={input}
        className="input num h-9 w-24 text-right max-lg:h-11 max-[24rem]:w-20"
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        aria-label={`Pieces of ${name}`}
        aria-describedby={refusal && `refused-${_id}`}
        aria-invalid={refusal ? true : undefined}
        placeholder={String(minimumOrder)}
        value={text}
        // The next digits replace the quantity.
        onFocus={({ target }) => target.select()}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        kind="line"
        className="!h-9 w-24 !px-0 max-lg:!h-11 max-[24rem]:w-20"
        aria-label={`${isAdded ? 'Added' : 'Add'}: ${name}`}
        busy={state === 'adding'}
        busyLabel="Adding…"
        onClick={() => void press()}
      >
        {isAdded && <Icon of={Check} className="size-4" />}
        {isAdded ? 'Added' : 'Add'}
      </Button>
      <span className="sr-only" role="status">
        {isAdded && `${formatPieces(countPieces(text))} pieces of ${name} added to the batch.`}
      </span>
    </span>
  );
}

interface Listed {
  _id: string;
  createdAt: string;
  /** Of an order; a list with `row` has all orders of the purchase in one row. */
  purchase?: { number: number; row?: object | undefined } | undefined;
}

/** Adds rows that the reloaded list lacks, by their time. The listed ones keep their order. */
export function putBack<Row extends Listed>(listed: readonly Row[], rows: Iterable<Row>): readonly Row[] {
  const shown = [...listed];
  const isOldestFirst = (shown[0]?.createdAt ?? '') < (shown.at(-1)?.createdAt ?? '');
  for (const row of rows) {
    if (shown.some((each) => each._id === row._id || isRowOf(each, row))) continue;
    const comesAfter = ({ createdAt }: Row) =>
      isOldestFirst ? createdAt > row.createdAt : createdAt < row.createdAt;
    const at = shown.findIndex(comesAfter);
    shown.splice(at < 0 ? shown.length : at, 0, row);
  }
  return shown;
}

const isRowOf = ({ purchase }: Listed, row: Listed): boolean =>
  purchase?.row !== undefined && purchase.number === row.purchase?.number;

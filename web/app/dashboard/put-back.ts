/** Adds rows that the reloaded list lacks, by their time. The listed ones keep their order. */
export function putBack<Row extends { _id: string; createdAt: string }>(
  listed: readonly Row[],
  rows: Iterable<Row>,
): readonly Row[] {
  const shown = [...listed];
  const isOldestFirst = (shown[0]?.createdAt ?? '') < (shown.at(-1)?.createdAt ?? '');
  for (const row of rows) {
    if (shown.some(({ _id }) => _id === row._id)) continue;
    const comesAfter = ({ createdAt }: Row) =>
      isOldestFirst ? createdAt > row.createdAt : createdAt < row.createdAt;
    const at = shown.findIndex(comesAfter);
    shown.splice(at < 0 ? shown.length : at, 0, row);
  }
  return shown;
}

import { type ReactNode, useState } from 'react';
import { MoreLines } from '#app/rows/more-lines.tsx';

const FIRST_LINES = 6;

export interface LineColumn<Line> {
  head: string;
  cell: (line: Line) => ReactNode;
}

interface LineTableProps<Line> {
  className: 'pf-reply' | 'pf-wish';
  caption: string;
  /** The dearest first. */
  lines: readonly Line[];
  /** They stand behind the part's column. */
  columns: readonly LineColumn<Line>[];
  /** Ends the sentence that "35 more lines" begins. */
  describeRest?: (rest: readonly Line[]) => string | false;
  /** Stands below the table. */
  after?: ReactNode;
}

interface OfPart {
  product: { _id: string; name: string; number: string };
}

/** Lines of a request for prices, at first six; on phones each row is a card. */
export function LineTable<Line extends OfPart>(props: LineTableProps<Line>) {
  const { className, caption, lines, columns, describeRest, after } = props;
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole ? [] : lines.slice(FIRST_LINES);
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles. */}
      <table className={className} role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Part', ...columns.map(({ head }) => head)].map((head) => (
              <th key={head} role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {lines.slice(0, lines.length - rest.length).map((line) => (
            <tr key={line.product._id} role="row">
              <PartCell {...line} />
              {columns.map(({ head, cell }) => (
                <td key={head} role="cell" className="num">
                  {cell(line)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
      {(rest.length > 0 || after) && (
        <div className="more-lines">
          <p>
            <MoreLines left={rest.length} onShow={() => setWhole(true)} />
            {rest.length > 0 && describeRest?.(rest)}
          </p>
          {after}
        </div>
      )}
    </>
  );
}

const PartCell = ({ product: { name, number } }: OfPart) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above.
  <th role="rowheader" scope="row">
    <bdi className="line" dir="auto" title={name}>
      {name}
    </bdi>
    <span className="num sub">{number}</span>
  </th>
);

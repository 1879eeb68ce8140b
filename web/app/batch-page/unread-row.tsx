import { FileQuestionMark, Trash2 } from 'lucide';
import { Link } from 'react-router';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';
import { ChoosePart } from './choose-part.tsx';
import { unreadId } from './line-ids.ts';
import type { List, UnreadLine } from './use-list.ts';

interface UnreadRowProps {
  line: UnreadLine;
  list: Pick<List, 'take' | 'choose' | 'edit' | 'drop'>;
}

/** Keeps the words and the place of a line that was not read, and says what can be done. */
export function UnreadRow({ line, list }: UnreadRowProps) {
  const { asked } = line;
  const name = asked?.name ?? line.text;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: a display other than table drops the implied roles.
    <tr ref={passFocusOn} role="row" id={unreadId(line)} tabIndex={-1} className="row unread scroll-mt-40">
      <td role="cell" className="nr num">
        {line.line > 0 && line.line}
      </td>
      <th role="rowheader" scope="row" className="part">
        <span>
          <span className="pf-unread">
            <Icon of={FileQuestionMark} className="size-4" />
          </span>
          <span>
            <span className="line" title={line.text}>
              <UnreadText line={line} />
            </span>
            <UnreadReason line={line} list={list} />
          </span>
        </span>
      </th>
      <td role="cell" className="pick" colSpan={5}>
        <span>
          {asked && (
            <ChoosePart
              name={name}
              onChoose={(part, isRemembered) => void list.choose(line, part, isRemembered)}
            />
          )}
          <button
            type="button"
            className="btn btn-ghost btn-square size-8"
            aria-label={`Remove ${line.line > 0 ? `line ${line.line}, ` : ''}${name}`}
            onClick={() => list.drop(line)}
          >
            <Icon of={Trash2} className="size-[1.125rem] text-muted" />
          </button>
        </span>
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above.
  );
}

/** A decided row goes, and people decide one after another. @returns called before the row goes */
const passFocusOn = (row: HTMLElement | null) => () => {
  if (!row?.contains(document.activeElement)) return;
  const rows = [...document.querySelectorAll<HTMLElement>('tr.unread')];
  const index = rows.indexOf(row);
  const next = rows[index + 1] ?? rows[index - 1];
  if (next) next.focus();
  else focusHeading();
};

const UnreadText = ({ line: { asked, text } }: { line: UnreadLine }) =>
  asked ? (
    <>
      <bdi className="num font-bold">{asked.name}</bdi>, <span className="num">{asked.quantity}</span>
    </>
  ) : (
    <bdi>{text}</bdi>
  );

/** Takes the number that may be meant, searches, or changes the line. */
function UnreadReason({ line, list }: UnreadRowProps) {
  const { reason, suggestion, search } = line;
  return (
    <span className="sub">
      {reason}{' '}
      {suggestion && (
        <>
          Did you mean{' '}
          <button
            type="button"
            className="pf-link pf-fix font-semibold"
            onClick={() => void list.take(line, suggestion)}
          >
            {suggestion}
          </button>
          ?{' '}
        </>
      )}
      {search && (
        <>
          <Link className="pf-link pf-fix font-semibold" to={`/all-products?q=${encodeURIComponent(search)}`}>
            Search for “{search}”
          </Link>{' '}
        </>
      )}
      <button type="button" className="pf-link pf-fix font-semibold" onClick={() => list.edit(line)}>
        Edit the line
      </button>
    </span>
  );
}

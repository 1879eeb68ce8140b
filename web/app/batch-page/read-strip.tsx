import { formatPieces } from '@parts-forge/contract/money/money';
import { CircleAlert, FileSpreadsheet } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { ChooseFile } from './add-lines.tsx';
import type { List } from './use-list.ts';

/** Says how the last list was read or why it was not, or asks for its column of pieces. */
export function ReadStrip({ list }: { list: List }) {
  const content = describe(list);
  return (
    <div ref={list.strip} role="status" tabIndex={-1} className="scroll-mt-32 outline-none" aria-label="List">
      {content && (
        <div className="pf-read pf-panel">
          <Icon
            of={list.refusal ? CircleAlert : FileSpreadsheet}
            className={`size-5 ${list.refusal ? 'text-error' : 'text-muted'}`}
          />
          {content}
        </div>
      )}
    </div>
  );
}

function describe({ list, unread, reading, refusal, question, ...acts }: List): ReactNode {
  if (reading !== null) return <p>Reading {reading} …</p>;
  if (question || refusal !== null) {
    return (
      <>
        <p>
          {question && (
            <>
              <bdi className="font-medium">{question.name}</bdi>:{' '}
            </>
          )}
          {refusal ?? 'which column holds the pieces?'}
        </p>
        {question && <Columns of={question} onChoose={acts.chooseColumn} />}
        <ChooseFile
          label="Choose another file"
          className="pf-link pf-fix text-sm font-medium"
          onChoose={acts.addFile}
        >
          Choose another file
        </ChooseFile>
      </>
    );
  }
  const decided = (list?.leftOut ?? 0) - unread.filter(({ line }) => line > 0).length;
  return (
    list && (
      <>
        <p>
          <bdi className="font-medium">{list.name}</bdi>: {list.read}
          {decided > 0 && ` Decided since then: ${formatPieces(decided)} of ${formatPieces(list.leftOut)}.`}
        </p>
        <button
          type="button"
          className="pf-link pf-fix text-sm font-medium"
          onClick={() => void acts.takeBack()}
        >
          Take it back
        </button>
      </>
    )
  );
}

interface ColumnsProps {
  of: NonNullable<List['question']>;
  onChoose: List['chooseColumn'];
}

/** Those that may hold the pieces, each with an example. */
const Columns = ({ of: { columns }, onChoose }: ColumnsProps) => (
  <span className="asked flex flex-wrap gap-2">
    {columns.map(({ name, example }, index) => (
      <button
        key={`${name} ${example}`}
        type="button"
        className="pf-choice !h-8 !px-2.5 !text-sm"
        onClick={() => onChoose(index)}
      >
        {name && <bdi>{name}</bdi>}
        <span className="num">{name ? `as ${example}` : example}</span>
      </button>
    ))}
  </span>
);

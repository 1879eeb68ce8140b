import { CircleAlert, FileSpreadsheet } from 'lucide';
import { Icon } from '#app/ui/icon.tsx';
import { ChooseFile } from './add-lines.tsx';
import type { List } from './use-list.ts';

/** What the last list was read as, or why it was not. */
export function ReadStrip({ list: { list, reading, refusal, strip, ...acts } }: { list: List }) {
  const isShown = list !== null || reading !== null || refusal !== null;
  return (
    <div ref={strip} role="status" tabIndex={-1} className="scroll-mt-32 outline-none" aria-label="List">
      {isShown && (
        <div className="pf-read pf-panel">
          <Icon
            of={refusal ? CircleAlert : FileSpreadsheet}
            className={`size-5 ${refusal ? 'text-error' : 'text-muted'}`}
          />
          {reading !== null ? (
            <p>Reading {reading} …</p>
          ) : refusal !== null ? (
            <>
              <p>{refusal}</p>
              <ChooseFile
                label="Choose another file"
                className="pf-link pf-fix text-sm font-medium"
                onChoose={acts.addFile}
              >
                Choose another file
              </ChooseFile>
            </>
          ) : (
            <>
              <p>
                <bdi className="font-medium">{list?.name}</bdi>: {list?.read}
              </p>
              <button
                type="button"
                className="pf-link pf-fix text-sm font-medium"
                onClick={() => void acts.takeBack()}
              >
                Take it back
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

import { Download } from 'lucide';
import { Button } from '#app/ui/button.tsx';
import { CopyTextButton } from '#app/ui/copy-button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { saveFile } from '#app/ui/save-file.ts';

/** The codes are shown only once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <>
      <p className="mb-4">
        Each of these backup codes opens your account once without the app. They are shown only now: keep them
        where you find them without your phone.
      </p>
      <ul
        aria-label="Backup codes"
        className="mb-5 grid grid-cols-2 gap-x-6 rounded-field border border-base-300 p-4"
      >
        {codes.map((code) => (
          <li key={code} className="num leading-8">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 max-sm:flex-col">
        <CopyTextButton name="codes" text={text} />
        <Button
          kind="line"
          size="bar"
          onClick={() => saveFile('backup-codes.txt', `${text}\n`, 'text/plain')}
        >
          <Icon of={Download} className="size-4" />
          Download codes
        </Button>
        <Button kind="strong" size="bar" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </>
  );
}

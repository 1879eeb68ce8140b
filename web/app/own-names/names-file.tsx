import { formatCount } from '@parts-forge/contract/money/money';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { Upload } from 'lucide';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { FormError } from '#app/forms/form-error.tsx';
import { Banner } from '#app/ui/banner.tsx';
import { FileLabel } from '#app/ui/file-label.tsx';
import { Icon } from '#app/ui/icon.tsx';
import type { useAddAliasFile } from './queries.ts';

const SHOWN_PROBLEMS = 20;

interface FileProps {
  adding: ReturnType<typeof useAddAliasFile>;
}

export const FileActions = ({ adding }: FileProps) => (
  <>
    <FileLabel
      className="btn btn-line h-11 bg-base-100"
      aria-label="Choose a file of names"
      accept={`.csv,.txt,.xlsx,text/csv,${WORKBOOK_TYPE}`}
      onChoose={(_, files) => adding.mutate(files)}
    >
      <Icon of={Upload} className="size-4" />
      {adding.isPending ? 'Reading…' : 'Add a file'}
    </FileLabel>
    <DownloadButton className="bg-base-100" file={{ what: 'own-names' }}>
      Export CSV
    </DownloadButton>
  </>
);

/** The result of the last file. */
export function AddedFile({ adding: { data, error } }: FileProps) {
  if (error) return <FormError error={error} className="mb-6" />;
  if (!data) return null;
  const { saved, problems, notes } = data;
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  const more = problems.length - shown.length;
  return (
    <Banner kind={problems.length > 0 ? 'error' : 'info'} className="mb-6 bg-base-100">
      {[`${formatCount(saved, 'name')} set.`, ...notes].join(' ')}
      {problems.length > 0 && (
        <ul className="mt-2 grid gap-1 text-sm [overflow-wrap:anywhere]">
          {shown.map(({ line, column, message }) => (
            <li key={`${line} ${message}`}>
              <span className="num">Line {line}</span>
              {column && `, ${column}`}: {message}
            </li>
          ))}
          {more > 0 && <li>{formatCount(more, 'more problem')}</li>}
        </ul>
      )}
    </Banner>
  );
}

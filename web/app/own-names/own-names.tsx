import { prefetch } from '#app/calls/prefetch.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { SearchField } from '#app/ui/search-field.tsx';
import { readSearchText } from '#app/ui/search-text.ts';
import type { Route } from './+types/own-names';
import { AddedFile, FileActions } from './names-file.tsx';
import { NamesList } from './names-list.tsx';
import { aliasListQueryOptions, useAddAliasFile } from './queries.ts';

export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  prefetch(aliasListQueryOptions(readSearchText(new URL(request.url).searchParams)));

/** The customer's own names of parts, by which lists find them. */
export default function OwnNames() {
  const [q, setQ] = useSearchText();
  const adding = useAddAliasFile();
  return (
    <>
      <PageHeading
        title="Own names"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Search names" value={q} onSearch={setQ} />
            <FileActions adding={adding} />
          </div>
        }
      />
      <AddedFile adding={adding} />
      <NamesList q={q} />
    </>
  );
}

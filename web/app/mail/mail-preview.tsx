import type { MailPreview as Preview } from '@parts-forge/contract/events/mail';
import { useQuery } from '@tanstack/react-query';
import { PageHeading, ParentLink } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton, QueryPanel } from '#app/dashboard/query-panel.tsx';
import { useTheme } from '#app/layout/theme.ts';
import type { Route } from './+types/mail-preview';
import { MailFrame, type Theme } from './mail-frame.tsx';
import { mailQueryOptions } from './queries.ts';

/** A mail as its recipient sees it, without secret links. */
export default function MailPreview({ params: { id } }: Route.ComponentProps) {
  const theme = useTheme();
  const mail = useQuery(mailQueryOptions(id));
  return (
    <>
      <PageHeading
        title="Mail"
        heading={mail.data?.subject ?? 'Mail'}
        above={<ParentLink to="/dashboard/mail">All mail</ParentLink>}
      />
      <QueryPanel query={mail} what="The mail" skeleton={<PanelsSkeleton heights={['h-96']} />}>
        {(preview) => <Forms mail={preview} theme={theme} />}
      </QueryPanel>
    </>
  );
}

function Forms({ mail, theme }: { mail: Preview; theme: Theme }) {
  return (
    <div className="grid gap-8">
      <section aria-labelledby="as-html">
        <h2 id="as-html" className="mb-3 text-micro text-muted">
          As HTML
        </h2>
        <MailFrame html={mail.html} title={mail.subject} theme={theme} />
      </section>
      <section aria-labelledby="as-text">
        <h2 id="as-text" className="mb-3 text-micro text-muted">
          As text
        </h2>
        <pre className="pf-panel whitespace-pre-wrap p-5 font-mono text-sm [overflow-wrap:anywhere]">
          {mail.text}
        </pre>
      </section>
    </div>
  );
}

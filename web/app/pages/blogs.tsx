import { answers } from '#app/layout/blog-answers.tsx';
import { describePage } from './page-meta.ts';

export const meta = describePage({
  title: 'Blogs',
  description:
    'React performance, managing state, prototypal inheritance, why state must not be set directly, and searching products by name: five questions answered.',
  path: '/blogs',
  structured: [
    {
      '@type': 'FAQPage',
      mainEntity: answers.map(({ question, summary }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: summary },
      })),
    },
  ],
});

/** Specification §2. One is open at a time: the browser closes the others of the same name. */
export default function Blogs() {
  return (
    <div className="wrap grid gap-x-16 gap-y-8 pb-24 pt-12 md:pt-16 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <div className="lg:sticky lg:top-28 lg:self-start">
        <h1 className="display text-h1">Blogs</h1>
        <p className="mt-4 max-w-[36ch] text-muted">
          Five questions about building web applications, answered briefly.
        </p>
      </div>
      <div className="border-t border-base-300">
        {answers.map(({ question, summary, more }, place) => (
          <details
            key={question}
            className="group border-b border-base-300"
            open={place === 0}
            name="answers"
          >
            <summary className="flex cursor-pointer list-none items-start gap-6 py-6 hover:text-primary [&::-webkit-details-marker]:hidden">
              <h2 className="display text-h3 !font-[520]">{question}</h2>
              <span className="relative ml-auto mt-1 size-5 shrink-0" aria-hidden="true">
                <span className="absolute inset-x-0 top-[9px] h-0.5 bg-current" />
                <span className="absolute inset-y-0 left-[9px] w-0.5 bg-current transition-transform group-open:scale-y-0" />
              </span>
            </summary>
            <div className="grid max-w-[64ch] grid-cols-[minmax(0,1fr)] gap-3 pb-8 pr-12 text-muted max-sm:pr-0">
              <p>{summary}</p>
              {more}
            </div>
          </details>
        ))}
      </div>
    </div>
  );
}

import { ArrowUpRight, UserRound } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { describePage } from './page-meta.ts';

const skills = ['TypeScript', 'React', 'Node.js', 'PostgreSQL', 'Accessibility', 'Testing'];
/** The first one has the shop's name. */
const projects = [
  { to: '/', text: 'This shop: orders, card payments, stock' },
  {
    to: '/all-products',
    name: 'Part list',
    text: 'Search, sort and filter that work without JavaScript',
  },
  {
    to: '/docs',
    name: 'API reference',
    text: 'Every call of the shop, described by the schemas that check it',
  },
];

export const meta = describePage({
  title: 'MyPortfolio',
  description: 'Nadia Brandt, who built this shop: education, skills and three projects.',
  path: '/portfolio',
});

export default function Portfolio() {
  return (
    <div className="wrap pb-24 pt-12 md:pt-16">
      <article className="grid overflow-clip rounded-box border border-base-300 md:grid-cols-[auto_minmax(0,1fr)]">
        <Portrait />
        <div className="p-6 md:p-10">
          <h1 className="display text-h1">Nadia Brandt</h1>
          <p className="mt-2">
            <a className="pf-link inline-flex min-h-8 items-center" href="mailto:nadia@brandt.example">
              nadia@brandt.example
            </a>
          </p>
          <dl className="mt-8 grid border-t border-base-300">
            <Row title="Education">
              BSc Computer Science
              <br />
              <span className="text-muted">University of Leeds, 2019</span>
            </Row>
            <Row title="Skills">
              <Skills />
            </Row>
            <Row title="Projects">
              <ul className="-my-2">
                {projects.map((project) => (
                  <li key={project.to} className="border-base-300 [&+li]:border-t">
                    <Project {...project} />
                  </li>
                ))}
              </ul>
            </Row>
          </dl>
        </div>
      </article>
    </div>
  );
}

function Portrait() {
  return (
    <div className="p-6 pb-0 md:p-10 md:pr-0">
      <div className="pf-tile pf-corners size-32 md:size-48" role="img" aria-label="No portrait">
        <Icon of={UserRound} className="!size-16 !p-0 stroke-[0.75] opacity-60 md:!size-24" />
      </div>
    </div>
  );
}

function Skills() {
  return (
    <ul className="flex flex-wrap gap-2">
      {skills.map((skill) => (
        <li key={skill} className="rounded-selector border border-base-300 px-2.5 py-0.5 text-sm leading-6">
          {skill}
        </li>
      ))}
    </ul>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-2 border-base-300 py-5 not-last:border-b sm:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-sm leading-6 text-muted">{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Project({ to, name, text }: { to: string; name?: string; text: string }) {
  const shop = useShop();
  return (
    // The server renders the API description.
    <Link to={to} reloadDocument={to === '/docs'} className="group flex items-center gap-4 py-3">
      <span>
        <span className="font-semibold group-hover:text-primary">{name ?? shop.name}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      <Icon
        of={ArrowUpRight}
        className="ml-auto size-5 shrink-0 text-muted transition-transform motion-safe:group-hover:-translate-y-0.5 motion-safe:group-hover:translate-x-0.5"
      />
    </Link>
  );
}

import { type ReactNode, useEffect, useState } from 'react';
import './components.css';
import { PageTitle } from '#app/ui/shop.tsx';
import type { ExampleGroup } from './example.ts';

const themes = ['light', 'dark'] as const;

/**
 * Every component in every state and both themes, in development only. A group renders when it is opened, as
 * some states take the focus.
 */
export default function ComponentsPage() {
  const groups = useGroups();
  const [shown, setShown] = useState<readonly string[]>(themes);
  return (
    <div className="wrap dev-page">
      <PageTitle title="Components" />
      <h1 className="display text-h1">Components</h1>
      <div className="dev-bar">
        {themes.map((theme) => (
          <label key={theme} className="dev-row">
            <input
              type="checkbox"
              className="checkbox checkbox-neutral"
              checked={shown.includes(theme)}
              onChange={(event) =>
                setShown(
                  themes.filter((each) => (each === theme ? event.target.checked : shown.includes(each))),
                )
              }
            />
            {theme}
          </label>
        ))}
      </div>
      {groups.map((group) => (
        <Group key={group.title} {...group} themes={shown} />
      ))}
    </div>
  );
}

/** Loaded in the browser: the sample data has no place on the server. */
function useGroups(): readonly ExampleGroup[] {
  const [groups, setGroups] = useState<readonly ExampleGroup[]>([]);
  useEffect(() => {
    void import('./groups.ts').then((loaded) => setGroups(loaded.groups));
  }, []);
  return groups;
}

function Group({ title, examples, themes }: ExampleGroup & { themes: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="dev-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} ({examples.length})
      </summary>
      {isOpen &&
        examples.map(({ name, render }) => (
          <Example key={name} name={name} themes={themes}>
            {render}
          </Example>
        ))}
    </details>
  );
}

function Example(props: { name: string; themes: readonly string[]; children: () => ReactNode }) {
  const { name, themes, children: render } = props;
  return (
    <figure className="dev-example">
      <figcaption>{name}</figcaption>
      <div className="dev-themes">
        {themes.map((theme) => (
          <div key={theme} className="dev-stage" data-theme={theme}>
            {render()}
          </div>
        ))}
      </div>
    </figure>
  );
}

import { Fragment } from 'react';
import type { Fact } from './list-facts.ts';

/** Facts in a row; old values are struck through. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return facts.map(({ name, before, after }, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      {name}{' '}
      {before !== undefined && after === undefined ? (
        <span className="text-base-content">{before}</span>
      ) : (
        <>
          {before !== undefined && (
            <>
              <del className="pf-was">{before}</del>
              {' → '}
            </>
          )}
          <span className="text-base-content">{after}</span>
        </>
      )}
    </Fragment>
  ));
}

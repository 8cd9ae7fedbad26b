import type { ComponentChildren, VNode } from 'preact';
import { Link } from '../../../pages/index.js';
import type { SimilarlyNamed } from '../../../people/index.js';

interface SimilarNamesProps {
  /** That nothing was found, and what to try. */
  readonly children: ComponentChildren;
  readonly similar: readonly SimilarlyNamed[];
  /** The page to which the name of a person leads. */
  readonly to: (person: SimilarlyNamed) => string;
}

/** What a search says that finds nothing: people with similar names, who may be meant. */
export function NothingFound({ children, similar, to }: SimilarNamesProps): VNode {
  return (
    <>
      {children}
      {similar.length > 0 && (
        <span class="near">
          Similar names:{' '}
          {similar.map((person, index) => (
            <span key={person.peopleId}>
              {index > 0 && ', '}
              <Link to={to(person)}>
                {person.first} {person.last}
              </Link>
            </span>
          ))}
        </span>
      )}
    </>
  );
}

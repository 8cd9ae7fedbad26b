import type { VNode } from 'preact';
import { type FormState, Link, Table } from '../../../pages/index.js';
import type { PersonView } from '../../../people/index.js';
import { ContactValues } from '../contact-values.js';
import type { PeopleOnPage } from '../giving/search-givers.service.js';
import { PersonSearch } from './person-search.js';

/** What the choice of the other person shows. */
export interface MergeChoiceProps {
  readonly person: PersonView;
  /** Others who look like the same person. */
  readonly similar: readonly PersonView[];
  /** Of the search. */
  readonly state: FormState;
  /** Undefined before the search. */
  readonly found: PeopleOnPage | undefined;
}

type Named = Pick<PersonView, 'peopleId' | 'first' | 'last'>;

/** Chooses the other record of the same person, and which of both stays. */
export function MergeChoice({ person, similar, state, found }: MergeChoiceProps): VNode {
  const choose = (other: Named): VNode => <Choice person={person} other={other} />;
  return (
    <>
      <p>
        A merge makes one person of two records. The gifts and contacts of one move to the other, who stays. The next
        page says what moves, before anything is done.
      </p>
      {similar.length > 0 && found === undefined && (
        <section aria-labelledby="similar">
          <h2 id="similar">These look like the same person</h2>
          <Table
            caption="Similar people"
            rows={similar}
            keyOf={({ peopleId }) => peopleId}
            columns={[
              { header: 'Person', cell: ({ peopleId, first, last }) => `${first} ${last}, person ${peopleId}` },
              { header: 'Contacts', cell: ({ contacts }) => <ContactValues contacts={contacts} /> },
              { header: 'Who stays?', cell: choose },
            ]}
            empty=""
          />
        </section>
      )}
      <PersonSearch
        to={`/console/people/${person.peopleId}/merge`}
        state={state}
        found={found}
        isChosen={({ peopleId }) => peopleId !== person.peopleId}
        choose={choose}
      />
      <p class="back">
        <Link to={`/console/people/${person.peopleId}`}>Back to the person</Link>
      </p>
    </>
  );
}

/** In the row of the other person: to keep this one, or the person whose page it is. */
function Choice({ person, other }: { readonly person: Named; readonly other: Named }): VNode {
  return (
    <div class="buttons">
      <Link to={`/console/people/${person.peopleId}/merge/${other.peopleId}`}>
        Keep this one, person {other.peopleId}
      </Link>
      <Link to={`/console/people/${other.peopleId}/merge/${person.peopleId}`}>
        Keep the other: {person.first} {person.last}, person {person.peopleId}
      </Link>
    </div>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import {
  type Column,
  FilterForm,
  type FormState,
  HiddenFields,
  Pagination,
  queryOf,
  SubmitButton,
  Table,
  TextField,
} from '../../../pages/index.js';
import type { FoundPerson } from '../giving/people-page.js';
import type { PeopleOnPage } from '../giving/search-givers.service.js';
import { NothingFound } from './nothing-found.js';
import { CONTACTS_COLUMN, GIFTS_COLUMN } from './person-columns.js';

interface PersonSearchProps {
  /** The page that shows the search. */
  readonly to: string;
  /** What the search sends along. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly state: FormState;
  /** Undefined before the search. */
  readonly found: PeopleOnPage | undefined;
  /** Whether a person can be chosen. */
  readonly isChosen: (person: FoundPerson) => boolean;
  /** What chooses a person: a button or a link. */
  readonly choose: (person: FoundPerson) => ComponentChildren;
}

/** Searches for a person to choose. */
export function PersonSearch(props: PersonSearchProps): VNode {
  const { to, fields = {}, state, found } = props;
  return (
    <>
      <FilterForm to={to} state={state}>
        <HiddenFields values={fields} />
        <div class="search">
          <TextField
            name="q"
            label="Find the person"
            type="search"
            help="Name, e-mail, phone or number of the person."
            isSearch
            required
            autofocus={found === undefined}
          />
          <SubmitButton>Search</SubmitButton>
        </div>
      </FilterForm>
      {found !== undefined && <Found {...props} found={found} />}
    </>
  );
}

function Found({
  to,
  fields,
  state,
  found,
  isChosen,
  choose,
}: PersonSearchProps & { readonly found: PeopleOnPage }): VNode {
  const columns: readonly Column<FoundPerson>[] = [
    {
      header: 'Person',
      cell: ({ peopleId, first, last, formerLast }) =>
        `${first} ${last}${formerLast === null ? '' : ` (${formerLast})`}, person ${peopleId}`,
    },
    CONTACTS_COLUMN,
    GIFTS_COLUMN,
    { header: 'Choose', cell: (person) => (isChosen(person) ? choose(person) : 'This person') },
  ];
  return (
    <>
      <Table
        caption="People who were found"
        rows={found.people}
        keyOf={({ peopleId }) => peopleId}
        columns={columns}
        empty={<Nobody to={to} fields={fields} similar={found.similar} />}
      />
      <Pagination
        to={to}
        query={{ ...fields, q: state.typed['q'] }}
        next={found.next === null ? undefined : { after: found.next }}
        isLater={(state.typed['after'] ?? '') !== ''}
      />
    </>
  );
}

type NobodyProps = Pick<PersonSearchProps, 'to' | 'fields'> & Pick<PeopleOnPage, 'similar'>;

function Nobody({ to, fields, similar }: NobodyProps): VNode {
  return (
    <NothingFound similar={similar} to={({ first, last }) => to + queryOf({ ...fields, q: `${first} ${last}` })}>
      Nobody matches. Try a part of the name, or add the person first.
    </NothingFound>
  );
}

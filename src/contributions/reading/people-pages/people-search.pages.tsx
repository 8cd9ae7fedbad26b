import { Get, OnModuleInit, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import type { Query as Sent } from '../../../http/index.js';
import {
  type Column,
  FilterForm,
  FormReader,
  type FormState,
  Link,
  ListCount,
  Navigation,
  type PageAnswer,
  PagesUnder,
  Pagination,
  showPage,
  type ShownRows,
  shownRows,
  SubmitButton,
  Table,
  TextField,
} from '../../../pages/index.js';
import type { FoundPerson } from '../giving/people-page.js';
import { type PeopleOnPage, SearchGivers } from '../giving/search-givers.service.js';
import { SearchPeopleRequest, toPersonPage } from '../giving/search-people.request.js';
import { NothingFound } from './nothing-found.js';
import { CONTACTS_COLUMN, GIFTS_COLUMN } from './person-columns.js';

const PEOPLE = '/console/people';

/** Finds people. */
@PagesUnder('people')
export class PeopleSearchPages implements OnModuleInit {
  constructor(
    private readonly searchGivers: SearchGivers,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'People', to: PEOPLE, letter: 'p', position: 40, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async search(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(SearchPeopleRequest, query);
    const mayChange = caller.roles.has('Finance');
    if (!reading.isValid) return peoplePage({ state: reading.state, mayChange });
    const { value, state } = reading;
    const found = await this.searchGivers.searchForPage(value.q, toPersonPage(value), actorOf(caller));
    return peoplePage({ state, found, rows: shownRows(query, found.people.length), mayChange });
  }
}

interface PeopleProps {
  readonly state: FormState;
  readonly found?: PeopleOnPage;
  readonly rows?: ShownRows;
  readonly mayChange: boolean;
}

function peoplePage(props: PeopleProps): PageAnswer {
  return showPage({
    title: 'People',
    ...(props.found === undefined && { status: 400, code: 'invalid_request' }),
    actions: props.mayChange ? (
      <Link to={`${PEOPLE}/new`} button hotkey="c">
        Add a person
      </Link>
    ) : undefined,
    content: <People {...props} />,
  });
}

const COLUMNS: readonly Column<FoundPerson>[] = [
  {
    header: 'Person',
    cell: ({ peopleId, first, last }) => (
      <Link to={`${PEOPLE}/${peopleId}`}>
        {first} {last}
      </Link>
    ),
  },
  {
    header: 'Also',
    cell: ({ nickname, formerLast, deceased }) =>
      [nickname, formerLast, deceased ? 'deceased' : null].filter((text) => text !== null).join(', '),
  },
  CONTACTS_COLUMN,
  GIFTS_COLUMN,
  { header: 'Number', align: 'right', cell: ({ peopleId }) => peopleId },
];

const NOBODY_FOUND = 'Nobody matches. Try only the beginning of the last name, or the e-mail address.';
const NOBODY_YET = 'There is nobody yet. Givers are added with their first gift.';

function People({ state, found, rows = { first: 1, shown: 0 } }: PeopleProps): VNode {
  const { q = '', after = '' } = state.typed;
  return (
    <>
      <FilterForm to={PEOPLE} state={state}>
        <div class="search">
          <TextField
            name="q"
            label="Search"
            type="search"
            help="The beginning of a name, e-mail, phone or number of the person. Bob also finds Robert."
            isSearch
          />
          <SubmitButton>Search</SubmitButton>
        </div>
      </FilterForm>
      {found !== undefined && (
        <>
          <ListHead found={found} rows={rows} isSearch={q.trim() !== ''} />
          <Table
            caption="People"
            rows={found.people}
            keyOf={({ peopleId }) => peopleId}
            columns={COLUMNS}
            empty={<Nobody similar={found.similar} isSearch={q.trim() !== ''} />}
          />
          <Pagination
            to={PEOPLE}
            query={{ q }}
            next={found.next === null ? undefined : { after: found.next }}
            isLater={after !== ''}
            rows={rows}
          />
        </>
      )}
    </>
  );
}

interface ListHeadProps {
  readonly found: PeopleOnPage;
  readonly rows: ShownRows;
  readonly isSearch: boolean;
}

function ListHead({ found: { people, count }, rows, isSearch }: ListHeadProps): VNode {
  return (
    <div class="list-head">
      <ListCount {...rows} count={count} of={['person', 'people']} />
      {people.length > 1 && (
        <span class="help">{isSearch ? 'The best matches first' : 'In the order in which they were added'}</span>
      )}
    </div>
  );
}

function Nobody({ similar, isSearch }: Pick<PeopleOnPage, 'similar'> & { readonly isSearch: boolean }): VNode {
  return (
    <NothingFound similar={similar} to={({ peopleId }) => `${PEOPLE}/${peopleId}`}>
      {isSearch ? NOBODY_FOUND : NOBODY_YET}
    </NothingFound>
  );
}

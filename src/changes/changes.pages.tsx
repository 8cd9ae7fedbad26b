import { Get, OnModuleInit, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import {
  actionsWithMeanings,
  AuditTrail,
  ENTRIES_PER_PAGE,
  type ListedEntry,
  meaningOfAction,
} from '../audit/index.js';
import { BOOK_READERS, Page } from '../auth/index.js';
import type { Query as Sent } from '../http/index.js';
import {
  CheckboxField,
  type Column,
  FilterForm,
  FormReader,
  type FormState,
  Link,
  ListCount,
  Moment,
  MonthLinks,
  type Names,
  Navigation,
  type PageAnswer,
  PagesUnder,
  Pagination,
  SelectField,
  showPage,
  ShownNames,
  type ShownRows,
  shownRows,
  SubmitButton,
  Table,
  TextField,
} from '../pages/index.js';
import { detailInWords, valueInWords } from './details-in-words.js';
import { ListChangesRequest } from './list-changes.request.js';
import { showSubject, subjectTyped } from './subjects.js';

const CHANGES = '/console/changes';

/** The parameters of the filter. `before` is the position of a later page. */
const FILTERS = ['subject', 'actor', 'action', 'from', 'to', 'readings'] as const;

/** Who did what, and when. */
@PagesUnder('changes')
export class ChangesPages implements OnModuleInit {
  constructor(
    private readonly audit: AuditTrail,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
    private readonly names: ShownNames,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Changes', to: CHANGES, letter: 'c', position: 70, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent): Promise<PageAnswer> {
    const reading = this.forms.read(ListChangesRequest, query);
    const { state } = reading;
    if (!reading.isValid)
      return showPage({
        title: 'Changes',
        status: 400,
        code: 'invalid_request',
        content: <ChangesFilter state={state} />,
      });
    const { subject, readings, ...filter } = reading.value;
    const wanted = {
      ...filter,
      ...(subject !== undefined && { subject: subjectTyped(subject) }),
      // A person who asks for an action gets it, also if it only read something.
      readings: readings ?? filter.action !== undefined,
    };
    const entries = await this.audit.list(wanted);
    const rows = shownRows(query, entries.length);
    const count = await this.audit.count(wanted);
    const names = await this.names.all();
    return showPage({
      title: 'Changes',
      content: (
        <>
          <ChangesFilter state={state} />
          <ChangesTable entries={entries} state={state} rows={rows} count={count} names={names} />
        </>
      ),
    });
  }
}

function ChangesFilter({ state }: { readonly state: FormState }): VNode {
  const actions = actionsWithMeanings();
  return (
    <>
      <details class="explanation">
        <summary>What is this?</summary>
        <p>
          Every change of the books, with the user who made it. Nobody can change or delete a line, and lines are kept
          permanently. A name such as “command line: root” is a person at the server; “service” and “database” are this
          program itself.
        </p>
      </details>
      <FilterForm to={CHANGES} state={state}>
        <TextField
          name="subject"
          label="About"
          help="For example: gift 5 or only 5, person 12, bundle 7"
          type="search"
          isSearch
          maxLength={200}
        />
        <TextField name="actor" label="Who" maxLength={200} />
        <SelectField name="action" label="What" options={[['', 'Everything'], ...actions]} />
        <TextField name="from" label="From" type="date" />
        <TextField name="to" label="To" type="date" />
        <CheckboxField name="readings" label="Also who looked at personal data" />
        <SubmitButton>Show</SubmitButton>
      </FilterForm>
    </>
  );
}

const columnsWith = (names: AllNames): readonly Column<ListedEntry>[] => [
  { header: 'When', cell: ({ at }) => <Moment value={new Date(at)} /> },
  { header: 'Who', cell: ({ actor, via }) => <Actor actor={actor} via={via} /> },
  { header: 'What', cell: ({ action, details }) => <Action action={action} details={details} names={names} /> },
  { header: 'About', cell: ({ subject }) => <Subject subject={subject} /> },
];

type AllNames = ReadonlyMap<string, Names>;

interface ChangesTableProps {
  /** What is shown in place of ids, by kinds of ids. */
  readonly names: AllNames;
  readonly entries: readonly ListedEntry[];
  readonly state: FormState;
  readonly rows: ShownRows;
  readonly count: Awaited<ReturnType<AuditTrail['count']>>;
}

function ChangesTable({ entries, state, rows, count, names }: ChangesTableProps): VNode {
  const last = entries.length === ENTRIES_PER_PAGE ? entries.at(-1) : undefined;
  const filters = Object.fromEntries(FILTERS.map((name) => [name, state.typed[name]]));
  const isFiltered = Object.values(filters).some((value = '') => value.trim() !== '');
  const isLong = last !== undefined || rows.first > 1 || (filters['from'] ?? '') !== '';
  return (
    <>
      <div class="list-head">
        {isLong && <MonthLinks to={CHANGES} query={filters} />}
        <ListCount {...rows} count={count} of={['change', 'changes']} />
      </div>
      <Table
        caption="Changes, the newest first"
        rows={entries}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? 'No change matches. Names of users and subjects must be complete: “treasurer”, “gift 5”.'
            : 'Nothing has changed yet. Each change of the books will be listed here, with the user who made it.'
        }
        columns={columnsWith(names)}
      />
      <Pagination
        to={CHANGES}
        query={filters}
        next={last && { before: last.id }}
        isLater={state.typed['before'] !== undefined}
        rows={rows}
      />
    </>
  );
}

/** How an action came in, in words. What is said of pages would be noise. */
const VIA_WORDS: Readonly<Record<ListedEntry['via'], string | undefined>> = {
  api: 'a program, by the API',
  page: undefined,
  'command line': undefined,
  service: undefined,
  database: 'in SQL, beside this program',
};

function Actor({ actor, via }: Pick<ListedEntry, 'actor' | 'via'>): VNode {
  const words = VIA_WORDS[via];
  return (
    <span>
      {actor}
      {words !== undefined && <small class="aside">{words}</small>}
    </span>
  );
}

interface ActionProps extends Pick<ListedEntry, 'action' | 'details'> {
  readonly names: AllNames;
}

function Action({ action, details, names }: ActionProps): VNode {
  const parts = Object.entries(details).map(
    ([name, value]) => `${detailInWords(name)}: ${valueInWords(name, value, names)}`,
  );
  return (
    <span>
      {meaningOfAction(action)}
      {parts.length > 0 && <small class="aside">{parts.join(' · ')}</small>}
    </span>
  );
}

function Subject({ subject }: { readonly subject: string }): VNode {
  const { words, page } = showSubject(subject);
  return page === undefined ? <span>{words}</span> : <Link to={page}>{words}</Link>;
}

import { Get, Injectable, Module, OnModuleInit, Param, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { BOOK_READERS, type Caller, CurrentCaller, Page } from '../../src/auth/index.js';
import {
  anyCaseOf,
  day,
  type ErrorKind,
  ExpectedError,
  flag,
  lines,
  OptionalField,
  PathIdPipe,
  type Query as Sent,
  RequiredField,
  text,
} from '../../src/http/index.js';
import {
  Amount,
  type Bar,
  BarChart,
  CheckboxField,
  type Column,
  Confirmation,
  Day,
  displayDay,
  EmptyState,
  FilterForm,
  Form,
  FormReader,
  type FormState,
  goTo,
  groupedAmount,
  HomeParts,
  Link,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesModule,
  PagesUnder,
  Pagination,
  queryOf,
  SelectField,
  SentForm,
  showPage,
  SubmitButton,
  Table,
  TextArea,
  TextField,
  usePage,
} from '../../src/pages/index.js';

const ABOUT = { description: 'A field.', examples: ['a'] } as const;
const KINDS = ['Large', 'Small'] as const;
/** A name that must be escaped. */
export const HOSTILE = '<script>alert(1)</script> & "co"';

class ParcelForm {
  @RequiredField(text(10), ABOUT) readonly Name!: string;
  @OptionalField(day, ABOUT) readonly Day?: string;
  @OptionalField(anyCaseOf(KINDS), ABOUT) readonly Kind?: (typeof KINDS)[number];
  @OptionalField(lines(100), ABOUT) readonly Notes?: string;
  @OptionalField(flag, ABOUT) readonly Urgent?: boolean;
}

const TAKEN: ErrorKind = { code: 'parcel_taken', status: 409, when: 'It is taken.', example: 'It is taken.' };

class ParcelTakenError extends ExpectedError {
  readonly kind = TAKEN;
}

const BARS: readonly Bar[] = [
  { label: 'Oct', name: 'October 2026', height: 5, value: `${groupedAmount('5000')} parcels` },
  { label: 'Nov', name: 'November 2026', height: -1, value: `${groupedAmount('-1')} parcels` },
];

interface Parcel {
  readonly id: number;
  readonly name: string;
  readonly amount: string;
  readonly day: string;
}

const COLUMNS: readonly Column<Parcel>[] = [
  { header: 'Name', cell: ({ id, name }) => <Link to={`/console/parcels/${id}`}>{name}</Link> },
  { header: 'Day', cell: (row) => <Day value={row.day} /> },
  { header: 'Value', align: 'right', cell: ({ amount }) => <Amount value={amount} currency="USD" /> },
];

/** Texts beside elements are made by functions, with what the page knows of the church. */
function Explanation(): VNode {
  const { church } = usePage();
  return (
    <>
      <EmptyState>Nobody has sent a parcel since {displayDay('2026-11-01', church)}.</EmptyState>
      <p>
        The <Link to={`/console/parcels${queryOf({ Name: 'Lee & Co', Day: undefined })}`}>list</Link> has all of them.
      </p>
    </>
  );
}

/** What the form has stored. */
export const stored: ParcelForm[] = [];

@Injectable()
@PagesUnder('parcels')
class ParcelPages implements OnModuleInit {
  constructor(
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
    private readonly home: HomeParts,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Parcels', to: '/console/parcels', letter: 'z', position: 55, roles: BOOK_READERS });
    this.home.addTask(() => Promise.resolve({ count: 3, label: 'parcels to open', to: '/console/parcels' }));
    this.home.addPanel(() => Promise.resolve(<BarChart caption="Parcels by month" bars={BARS} />));
  }

  @Get()
  @Page(...BOOK_READERS)
  list(@Query() query: Sent): PageAnswer {
    const { state } = this.forms.read(ParcelForm, query);
    const rows = query['none'] === undefined ? [{ id: 1, name: HOSTILE, amount: '-1234.50', day: '2026-11-29' }] : [];
    return showPage({
      title: 'Parcels',
      actions: (
        <Link to="/console/parcels/new" button hotkey="c">
          Add a parcel
        </Link>
      ),
      content: (
        <>
          <FilterForm to="/console/parcels" state={{ ...state, faults: [] }}>
            <TextField name="Name" label="Name" isSearch />
            <SubmitButton>Search</SubmitButton>
          </FilterForm>
          <Table
            caption="Parcels"
            rows={rows}
            keyOf={({ id }) => id}
            empty="No parcel is like that."
            columns={COLUMNS}
            totals={{ Value: <Amount value="-1234.50" currency="EUR" /> }}
          />
          <Pagination to="/console/parcels" query={{ Name: 'a b', Day: undefined }} next={{ after: 1 }} isLater />
        </>
      ),
    });
  }

  @Get('new')
  @Page('Finance')
  form(): PageAnswer {
    return parcelPage(NEW_FORM);
  }

  @Post()
  @Page('Finance')
  add(@SentForm() sent: Sent, @CurrentCaller() { username }: Caller): PageAnswer {
    const reading = this.forms.read(ParcelForm, sent);
    if (!reading.isValid) return parcelPage(reading.state, 400);
    try {
      if (reading.value.Name === 'taken') throw new ParcelTakenError('Somebody else has taken this name.');
      if (reading.value.Name === 'broken') throw new Error('Nobody expected this');
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return parcelPage(state, status, code);
    }
    stored.push(reading.value);
    return goTo('/console/parcels?none=1', `${username} added parcel ${stored.length}.`);
  }

  @Get(':id/open')
  @Page('Finance')
  confirm(@Param('id', PathIdPipe) id: number): PageAnswer {
    return showPage({
      title: `Open parcel ${id}`,
      content: (
        <Confirmation
          to={`/console/parcels/${id}/open`}
          fields={{ count: '3' }}
          button={`Open parcel ${id}`}
          back="/console/parcels"
        >
          <p>It has 3 things in it. It cannot be closed again.</p>
          <Explanation />
        </Confirmation>
      ),
    });
  }

  @Post(':id/open')
  @Page('Finance')
  open(): PageAnswer {
    throw new ParcelTakenError('Somebody else has opened it.');
  }
}

function parcelPage(state: FormState, status = 200, code?: string): PageAnswer {
  return showPage({
    title: 'Add a parcel',
    status,
    ...(code !== undefined && { code }),
    content: (
      <Form to="/console/parcels" state={state}>
        <TextField name="Name" label="Name" help="At most 10 characters." required />
        <TextField name="Day" label="Day" type="date" value="2026-11-01" />
        <SelectField name="Kind" label="Kind" options={[['', 'Any'], ...KINDS.map((kind) => [kind, kind] as const)]} />
        <TextArea name="Notes" label="Notes" />
        <CheckboxField name="Urgent" label="It is urgent" />
        <SubmitButton>Add</SubmitButton>
      </Form>
    ),
  });
}

/** Pages of a made-up part of the church, which use every piece of the frame. */
@Module({ imports: [PagesModule], controllers: [ParcelPages] })
export class ParcelModule {}

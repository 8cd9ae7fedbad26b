import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import { type ConsoleVisitor, logInToConsole, originOf } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ABOUT = { description: 'A field.', examples: ['a'] } as const;
const KINDS = ['Large', 'Small'] as const;
const HOSTILE = '<script>alert(1)</script> & "co"';

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
      <Link to={`/console/parcels${queryOf({ Name: 'Lee & Co', Day: undefined })}`} download>
        List
      </Link>
    </>
  );
}

const stored: ParcelForm[] = [];

@Injectable()
@PagesUnder('parcels')
class ParcelPages implements OnModuleInit {
  constructor(
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
    private readonly home: HomeParts,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Parcels', to: '/console/parcels', letter: 'p', position: 55, roles: BOOK_READERS });
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

@Module({ imports: [PagesModule], controllers: [ParcelPages] })
class ParcelModule {}

let service: TestApp;
let finance: ConsoleVisitor;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_NAME: 'Grace <b>Church</b>' }, { modules: [{ module: ParcelModule }] });
  finance = await logInToConsole(service, await service.createUser('treasurer', 'some long password', ['Finance']));
  auditor = await logInToConsole(service, await service.createUser('auditor', 'some long password', ['Auditor']));
});
afterAll(() => service.stop());

describe('a page', () => {
  it('has the frame: a title, one heading, the way past the navigation, and the entries that all parts declare', async () => {
    const { text: html, headers } = await finance.get('/console/parcels').expect(200);
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).toContain('<title>Parcels · Grace &lt;b>Church&lt;/b></title>');
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toContain('href="#content"');
    expect([...html.matchAll(/data-hotkey="(g \w)"/g)].map(([, key]) => key)).toEqual(
      expect.arrayContaining(['g h', 'g p', 'g a']),
    );
    expect(html).toContain('href="../console/parcels" data-hotkey="g p" aria-current="page"');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(html).not.toMatch(/ style=| on\w+=|<script>/);
  });

  it('escapes texts, and shows amounts and days in the church’s way', async () => {
    const { text: html } = await finance.get('/console/parcels').expect(200);
    expect(html).toContain('&lt;script>alert(1)&lt;/script> &amp; &quot;co&quot;');
    expect(html).toContain('<span class="amount negative">−1,234.50</span>');
    expect(html).toContain('<span class="amount negative">EUR −1,234.50</span>');
    expect(html).toContain('<time datetime="2026-11-29">Nov 29, 2026</time>');
    expect(html).toContain('href="../console/parcels?Name=a+b&amp;after=1"');
  });

  it('says so when a list is empty, and keeps what was searched', async () => {
    const { text: html } = await finance.get('/console/parcels?none=1&Name=Lee').expect(200);
    expect(html).toContain('<p class="empty">No parcel is like that.</p>');
    expect(html).toContain('value="Lee"');
  });

  it('is only for its roles, and says which are missing', async () => {
    await auditor.get('/console/parcels').expect(200);
    const { text: html } = await auditor.get('/console/parcels/new').expect(403);
    expect(html).toContain('<h1>You may not see or do this</h1>');
    expect(html).toContain('Your user lacks the role Finance.');
    expect(html).toContain('aria-label="Main"');
    const { status } = await auditor.post('/console/parcels', { Name: 'a' });
    expect([status, stored]).toEqual([403, []]);
  });

  it('loads files that browsers may keep for ever', async () => {
    const { text: html } = await finance.get('/console/parcels').expect(200);
    const files = [...html.matchAll(/(?:href|src)="\.\.\/(console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(3);
    for (const path of files) {
      expect(path).toMatch(/\.[0-9a-f]{16}\.(css|js|svg)$/);
      const { headers } = await service.http().get(`/${path}`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    await service.http().get('/console/assets/console.css').expect(404);
    await service.http().get('/console/assets/..%2fassets.js').expect(404);
  });
});

describe('the form of a page', () => {
  it('stores valid fields, and goes to the next page, which says once what was done', async () => {
    const sent = { Name: ' Lee ', Day: '2026-11-29', Kind: 'small', Notes: 'a\r\nb', Urgent: 'true' };
    const { headers } = await finance.post('/console/parcels', sent).expect(303);
    expect(stored).toEqual([{ Name: 'Lee', Day: '2026-11-29', Kind: 'Small', Notes: 'a\nb', Urgent: true }]);
    const next = new URL(headers['location'] ?? '', `${originOf(service)}/console/parcels`);
    expect(next.pathname).toBe('/console/parcels');
    const { text: html } = await finance.get(next.pathname + next.search).expect(200);
    expect(html).toContain('<p class="message" role="status">treasurer added parcel 1.</p>');
    // Somebody else's link says nothing.
    expect((await auditor.get(next.pathname + next.search).expect(200)).text).not.toContain('added parcel');
  });

  it('shows invalid fields again with what was typed and what is accepted', async () => {
    const sent = { Name: `${'x'.repeat(11)}"`, Day: '2026-02-30', Kind: 'none', Notes: HOSTILE };
    const { text: html } = await finance.post('/console/parcels', sent).expect(400);
    expect(html).toContain('<div class="refusal" role="alert">Please correct the marked fields.</div>');
    expect(html).toContain('value="xxxxxxxxxxx&quot;"');
    expect(html).toMatch(/aria-describedby="field-Name-help field-Name-fault" aria-invalid="true"/);
    expect(html).toMatch(/<p class="fault" id="field-Name-fault">Name must be at most 10 characters[^<]*\.<\/p>/);
    expect(html).toContain('id="field-Day-fault"');
    expect(html).toContain('id="field-Kind-fault"');
    expect(html).toContain('&lt;script>alert(1)');
    expect(stored).toHaveLength(1);
  });

  it('keeps what was typed when somebody else was faster', async () => {
    const { text: html } = await finance.post('/console/parcels', { Name: 'taken', Urgent: 'true' }).expect(409);
    expect(html).toContain('Somebody else has taken this name.');
    expect(html).toContain('value="taken"');
    expect(html).toMatch(/type="checkbox"[^>]* checked/);
  });

  it('shows a fault of the service with the number to report', async () => {
    const answer = await finance
      .post('/console/parcels', { Name: 'broken' })
      .set('X-Request-Id', 'for-support')
      .expect(500);
    expect(answer.text).toContain('<code>for-support</code>');
    expect(answer.text).not.toContain('Nobody expected this');
  });

  it('asks before an action that cannot be undone, and shows a refusal as a page', async () => {
    const { text: html } = await finance.get('/console/parcels/7/open').expect(200);
    expect(html).toContain('It has 3 things in it.');
    expect(html).toContain('since Nov 1, 2026.');
    expect(html).toContain('<a href="../../../console/parcels?Name=Lee+%26+Co" download');
    expect(html).toMatch(/<input type="hidden" name="count" value="3"\/?>/);
    const refused = await finance.post('/console/parcels/7/open', { count: '3' }).expect(409);
    expect(refused.text).toContain('<h1>Somebody else was faster</h1>');
    expect(refused.text).toContain('Somebody else has opened it.');
  });

  it.each([
    ['JSON', 'application/json', '{"Name":"a"}', 415],
    ['plain text', 'text/plain', 'Name=a', 415],
    ['another charset', 'application/x-www-form-urlencoded; charset=latin1', 'Name=a', 415],
    ['more than 64 KB', 'application/x-www-form-urlencoded', `Name=${'a'.repeat(65_536)}`, 413],
    ['invalid percent-encoding', 'application/x-www-form-urlencoded', 'Name=%ff', 400],
  ])('is refused with %s', async (_what, type, body, status) => {
    const before = stored.length;
    const answer = await service
      .http()
      .post('/console/parcels')
      .set('Cookie', finance.cookie)
      .set('Origin', originOf(service))
      .set('Content-Type', type)
      .send(body);
    expect([answer.status, answer.type, stored.length]).toEqual([status, 'text/html', before]);
  });

  it('uses none of two values with one name', async () => {
    const answer = await service
      .http()
      .post('/console/parcels')
      .set('Cookie', finance.cookie)
      .set('Origin', originOf(service))
      .type('form')
      .send(`formToken=${finance.formToken}&Name=a&Name=b`)
      .expect(400);
    expect(answer.text).toContain('id="field-Name-fault"');
    expect(answer.text).not.toContain('value="a"');
  });
});

describe('failures under /console', () => {
  it('are pages, and problem documents elsewhere', async () => {
    const { text: html, headers } = await finance.get('/console/nothing-here').expect(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>Not found</h1>');
    expect(html).toContain('href="../console"');
    const elsewhere = await service.http().get('/nothing-here').expect(404);
    expect(elsewhere.type).toBe('application/problem+json');
  });

  it('name the methods of a page that is asked in another way', async () => {
    const answer = await service.http().put('/console/parcels').set('Origin', originOf(service)).expect(405);
    expect([answer.headers['allow'], answer.type]).toEqual(['GET, HEAD, POST', 'text/html']);
  });
});

it('the home page shows what the parts declare', async () => {
  const { text: html } = await finance.get('/console').expect(200);
  expect(html).toContain('<a href="./console/parcels"><strong>3</strong> parcels to open</a>');
  expect(html).toContain('November 2026: −1 parcels');
  expect(html).toContain('<rect x="0" y="0" width="10" height="100"');
  expect(html).toContain('<rect x="0" y="100" width="10" height="0"');
});

it('two entries of the navigation cannot have the same letter', () => {
  const entry = { label: 'Other', to: '/console/other', letter: 'p', position: 1_000, roles: BOOK_READERS };
  expect(() => {
    service.app.get(Navigation).add(entry);
  }).toThrow('The navigation entries Parcels and Other conflict');
});

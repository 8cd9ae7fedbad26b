import { Get, OnModuleInit, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { type Query as Sent, QueryPipe } from '../../../http/index.js';
import {
  FormReader,
  type FormState,
  Link,
  Navigation,
  type PageAnswer,
  PagesUnder,
  PrintButton,
  queryOf,
  showPage,
  shownRows,
} from '../../../pages/index.js';
import { PersonRecords } from '../../../people/index.js';
import { Funds } from '../../funds/index.js';
import { Entries } from './entries-of-total-parts.js';
import { EntriesOfTotalRequest } from './entries-of-total.request.js';
import { ListEntriesOfTotal } from './list-entries-of-total.service.js';
import { monthsInWords } from './month-words.js';
import { type Months, yearBefore } from './months.js';
import { totalsCsv } from './totals-csv.js';
import { TotalsForm } from './totals-form.js';
import { PrintedOn, TotalsOfMonths } from './totals-parts.js';
import { monthsOfPage, TotalsPageRequest, TotalsRequest } from './totals.request.js';
import { GivingTotals } from './totals.service.js';

const TOTALS = '/console/totals';

/** The parameters of the page. */
const PARAMETERS: readonly string[] = ['year', 'first', 'upTo'];

/** The page of totals: each fund and month of a year or a part of it, and the same months of the year before. */
@PagesUnder('totals')
@Page(...BOOK_READERS)
export class TotalsPages implements OnModuleInit {
  constructor(
    private readonly totals: GivingTotals,
    private readonly entriesOfTotal: ListEntriesOfTotal,
    private readonly persons: PersonRecords,
    private readonly funds: Funds,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Totals', to: TOTALS, letter: 't', position: 73, roles: BOOK_READERS });
  }

  @Get()
  async show(@Query() query: Sent): Promise<PageAnswer> {
    const today = this.totals.today();
    const thisYear = today.slice(0, 4);
    // A field that is empty shows what it stands for.
    const sent = Object.entries(query).filter(([name, value]) => PARAMETERS.includes(name) && value !== '');
    const reading = this.forms.read(TotalsPageRequest, Object.fromEntries(sent));
    if (!reading.isValid) return refusedPage(thisYear, reading.state);
    let months: Months;
    try {
      months = monthsOfPage(reading.value, today);
    } catch (error) {
      return refusedPage(thisYear, this.forms.refused(reading.state, error));
    }
    const { year = thisYear } = reading.value;
    const [totals, earlier] = [await this.totals.of(months), await this.totals.of(yearBefore(months))];
    const [from = '', to = ''] = [months[0], months.at(-1)];
    const period = months.length === 12 ? year : monthsInWords(from, to);
    return showPage({
      title: `Totals ${period}`,
      actions: (
        <>
          <Link to={`${TOTALS}/export${queryOf({ from, to })}`} button hotkey="c">
            Download CSV
          </Link>
          <PrintButton />
        </>
      ),
      content: (
        <>
          <PrintedOn day={today} />
          <TotalsForm year={year} state={reading.state} />
          <TotalsOfMonths period={period} totals={totals} earlier={earlier} />
        </>
      ),
    });
  }

  /** What adds up to a number. The reading is recorded. */
  @Get('entries')
  async entries(
    @Query() query: Sent,
    @Query(QueryPipe) request: EntriesOfTotalRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { after, ...rest } = request;
    const total = { ...rest, fundId: rest.fundId };
    const funds = new Map((await this.funds.list()).map(({ fundId, name }) => [fundId, name]));
    const found = await this.entriesOfTotal.list(total, after, actorOf(caller));
    const names = await this.persons.namesOf(found.entries.map(({ peopleId }) => peopleId));
    const fund = total.fundId === undefined ? 'All funds' : (funds.get(total.fundId) ?? `Fund ${total.fundId}`);
    return showPage({
      title: `${fund}, ${monthsInWords(total.from, total.to)}`,
      actions: <PrintButton />,
      content: (
        <Entries
          total={total}
          found={found}
          funds={funds}
          names={names}
          rows={shownRows(query, found.entries.length)}
        />
      ),
    });
  }

  @Get('export')
  async export(@Query(QueryPipe) request: TotalsRequest): Promise<StreamableFile> {
    const months = this.totals.monthsOf(request);
    const csv = totalsCsv(await this.totals.of(months));
    const name = `totals-${months[0] ?? ''}-to-${months.at(-1) ?? ''}.csv`;
    const disposition = `attachment; filename="${name}"`;
    return new StreamableFile(Buffer.from(csv), { type: 'text/csv; charset=utf-8', disposition });
  }
}

function refusedPage(year: string, state: FormState): PageAnswer {
  const { typed, faults } = state;
  const content = <TotalsForm year={year} state={{ typed, faults }} />;
  return showPage({ title: 'Totals', status: 400, code: 'invalid_request', content });
}

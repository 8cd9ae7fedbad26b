import { Get, OnModuleInit, Query, StreamableFile } from '@nestjs/common';
import { BOOK_READERS, Page } from '../../../auth/index.js';
import { type Query as Sent, QueryPipe } from '../../../http/index.js';
import {
  FormReader,
  Link,
  Navigation,
  type PageAnswer,
  PagesUnder,
  PrintButton,
  showPage,
} from '../../../pages/index.js';
import type { Months } from './months.js';
import { totalsCsv } from './totals-csv.js';
import { TotalsOfYear, YearForm } from './totals-parts.js';
import { TotalsRequest } from './totals.request.js';
import { GivingTotals } from './totals.service.js';

const TOTALS = '/console/totals';

/** The page of totals: each fund and month of a year. */
@PagesUnder('totals')
@Page(...BOOK_READERS)
export class TotalsPages implements OnModuleInit {
  constructor(
    private readonly totals: GivingTotals,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Totals', to: TOTALS, letter: 't', position: 73, roles: BOOK_READERS });
  }

  @Get()
  async show(@Query() query: Sent): Promise<PageAnswer> {
    const reading = this.forms.read(TotalsRequest, { year: query['year'] ?? '' });
    const thisYear = yearOf(this.totals.monthsOf({}));
    if (!reading.isValid) {
      const content = <YearForm year={thisYear} state={reading.state} />;
      return showPage({ title: 'Totals', status: 400, code: 'invalid_request', content });
    }
    const year = reading.value.year ?? thisYear;
    const totals = await this.totals.of(this.totals.monthsOf({ year }));
    return showPage({
      title: `Totals ${year}`,
      actions: (
        <>
          <Link to={`${TOTALS}/export?year=${year}`} button hotkey="c">
            Download CSV
          </Link>
          <PrintButton />
        </>
      ),
      content: (
        <>
          <YearForm year={year} state={reading.state} />
          <TotalsOfYear year={year} totals={totals} />
        </>
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

function yearOf(months: Months): string {
  return months[0]?.slice(0, 4) ?? '';
}

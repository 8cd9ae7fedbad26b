import { Controller, Get, Query } from '@nestjs/common';
import { ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, QueryPipe } from '../../../http/index.js';
import { FINANCE, TOTALS_NOT_READY } from '../../ledger/index.js';
import { TotalsRequest } from './totals.request.js';
import { GivingTotals } from './totals.service.js';
import { TotalsView } from './totals-view.js';

/** Totals by fund and month. */
@Controller('Api')
@ReadsBooks()
export class TotalsController {
  constructor(private readonly totals: GivingTotals) {}

  @Get('Totals')
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadTotals',
    summary: 'Totals by fund and month',
    description:
      'Net sums by the gifts’ days in church time. A reversal counts in the month in which it was made, under its gift’s type. ' +
      'A move to another fund takes from one fund and adds to the other, in the month in which it was made.',
    answer: TotalsView,
    failures: [TOTALS_NOT_READY],
  })
  async read(@Query(QueryPipe) request: TotalsRequest): Promise<TotalsView> {
    return this.totals.of(this.totals.monthsOf(request));
  }

  @Get('Totals/recent')
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'ReadRecentTotals',
    summary: 'Totals of the last twelve months',
    description: 'As ReadTotals, for this month in church time and the eleven before it.',
    answer: TotalsView,
    failures: [TOTALS_NOT_READY],
  })
  async recent(): Promise<TotalsView> {
    return this.totals.recent();
  }
}

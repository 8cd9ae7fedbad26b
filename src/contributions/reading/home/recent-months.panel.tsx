import { Injectable, OnModuleInit } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { VNode } from 'preact';
import { Church } from '../../../config/index.js';
import { type Bar, BarChart, groupedAmount, HomeParts } from '../../../pages/index.js';
import { type MonthOfGiving, RecentMonths } from './recent-months.service.js';

/** The gifts of the last twelve months as a picture on the home page. */
@Injectable()
export class RecentMonthsPanel implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly recent: RecentMonths,
    private readonly church: Church,
  ) {}

  onModuleInit(): void {
    this.home.addPanel(() => this.picture());
  }

  private async picture(): Promise<VNode> {
    const months = await this.recent.list();
    const bars = months.map((month) => barOf(month, this.church.currency));
    return (
      <BarChart
        caption={`Gifts of the last 12 months in ${this.church.currency}, less what was taken back`}
        bars={bars}
      />
    );
  }
}

function barOf({ month, count, total }: MonthOfGiving, currency: string): Bar {
  const first = DateTime.fromISO(`${month}-01`, { zone: 'UTC' }).setLocale('en');
  return {
    label: first.toFormat('LLL'),
    name: first.toFormat('LLLL yyyy'),
    // Only the height of a bar: its exact value is the text.
    height: Number.parseFloat(total),
    short: groupedAmount(total.replace(/\..*/, '')),
    value: `${currency} ${groupedAmount(total)} in ${count} ${count === 1 ? 'entry' : 'entries'}`,
  };
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { Church } from '../../../config/index.js';
import { RetryLaterError } from '../../../http/index.js';
import { type Bar, BarChart, EmptyState, groupedAmount, HomeParts, roundedAmount } from '../../../pages/index.js';
import { monthInWords } from '../totals/month-words.js';
import { GivingTotals } from '../totals/totals.service.js';
import type { MonthSums } from '../totals/totals-view.js';

/** The gifts of the last twelve months as a picture on the home page. */
@Injectable()
export class RecentMonthsPanel implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly totals: GivingTotals,
    private readonly church: Church,
  ) {}

  onModuleInit(): void {
    this.home.addPanel(() => this.picture());
  }

  private async picture(): Promise<VNode> {
    try {
      const { months, currencies } = await this.totals.recent();
      const sums = currencies.find(({ currency }) => currency === this.church.currency)?.months ?? [];
      const caption = `Gifts of the last 12 months in ${this.church.currency}, less what was taken back`;
      return <BarChart caption={caption} bars={months.map((month, index) => barOf(month, sums[index], this.church))} />;
    } catch (error) {
      // The rest of the home page does not depend on the totals.
      if (error instanceof RetryLaterError) return <EmptyState>{error.message}</EmptyState>;
      throw error;
    }
  }
}

function barOf(month: string, sums: MonthSums | undefined, { currency }: Church): Bar {
  const { gifts, total } = sums ?? { gifts: 0, total: '0' };
  return {
    ...monthInWords(month),
    // Only the height of a bar: its exact value is the text.
    height: Number.parseFloat(total),
    short: roundedAmount(total),
    value: `${currency} ${groupedAmount(total)}, ${gifts} ${gifts === 1 ? 'gift' : 'gifts'}`,
  };
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { Church } from '../../../config/index.js';
import { RetryLaterError } from '../../../http/index.js';
import { BarChart, EmptyState, HomeParts } from '../../../pages/index.js';
import { barOfSums } from '../totals/bar-of-sums.js';
import { monthInWords } from '../totals/month-words.js';
import { GivingTotals } from '../totals/totals.service.js';

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
      return (
        <BarChart
          caption={caption}
          bars={months.map((month, index) =>
            barOfSums(monthInWords(month), sums[index] ?? NOTHING, this.church.currency),
          )}
        />
      );
    } catch (error) {
      // The rest of the home page does not depend on the totals.
      if (error instanceof RetryLaterError) return <EmptyState>{error.message}</EmptyState>;
      throw error;
    }
  }
}

/** What a month without entries sums up to. */
const NOTHING = { gifts: 0, total: '0' };

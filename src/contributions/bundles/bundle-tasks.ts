import { Injectable, OnModuleInit } from '@nestjs/common';
import { HomeParts, type Task } from '../../pages/index.js';
import { Bundles } from './bundles.service.js';

/** A deposit is usually at the bank by then. */
const DAYS = 3;

/** What waits for Finance on the home page: bundles that nobody has closed for some days. */
@Injectable()
export class BundleTasks implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly bundles: Bundles,
  ) {}

  onModuleInit(): void {
    this.home.addTask(() => this.longOpen());
  }

  private async longOpen(): Promise<Task | undefined> {
    const { count, lastDay } = await this.bundles.countOpenFor(DAYS);
    if (lastDay === undefined) return undefined;
    const what = count === 1 ? 'bundle' : 'bundles';
    return {
      count,
      label: `${what} open for more than ${DAYS} days`,
      to: `/console/bundles?status=Open&to=${lastDay}`,
    };
  }
}

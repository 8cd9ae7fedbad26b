import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../database/index.js';
import { HomeParts, type Task } from '../pages/index.js';
import { countFailed, countWaiting } from './deliveries/deliveries.js';

/** What waits for Finance on the home page: notices that could not be sent. */
@Injectable()
export class NoticeTasks implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.home.addTask(() => this.unsent());
  }

  private async unsent(): Promise<Task | undefined> {
    const count = await this.transactions.run(async (tx) => (await countWaiting(tx)) + (await countFailed(tx)));
    if (count === 0) return undefined;
    const label = count === 1 ? 'notice of a reversal not sent' : 'notices of reversals not sent';
    return { count, label, to: '/console/notices?status=unsent' };
  }
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { HomeParts, type Task } from '../../pages/index.js';
import { countTroubles } from './webhook-troubles.js';

/** What waits for Finance on the home page: webhooks that do not reach their receivers. */
@Injectable()
export class WebhookTasks implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.home.addTask(() => this.unreached());
  }

  private async unreached(): Promise<Task | undefined> {
    const { failing, gone } = await this.transactions.run(countTroubles);
    const count = failing + gone;
    if (count === 0) return undefined;
    const label =
      count === 1 ? 'webhook that does not reach its receiver' : 'webhooks that do not reach their receivers';
    return { count, label, to: '/console/webhooks' };
  }
}

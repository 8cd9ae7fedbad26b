import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { HealthWarnings } from '../../health/index.js';
import { countTroubles } from './webhook-troubles.js';

/** Health warnings about webhooks. The service stays ready, because gifts are still accepted. */
@Injectable()
export class WebhookWarnings implements OnModuleInit {
  constructor(
    private readonly health: HealthWarnings,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.health.add(() => this.givenUp(), { isTask: true });
    this.health.add(() => this.gone(), { isTask: true });
  }

  private async givenUp(): Promise<string | undefined> {
    const { failing } = await this.transactions.run(countTroubles);
    if (failing === 0) return undefined;
    return `Webhooks with messages that were given up in the last days: ${failing}. See: offertory webhook deliveries --status failed`;
  }

  private async gone(): Promise<string | undefined> {
    const { gone } = await this.transactions.run(countTroubles);
    if (gone === 0) return undefined;
    return `Webhooks that their receivers have ended in the last days: ${gone}. See: offertory webhook list`;
  }
}

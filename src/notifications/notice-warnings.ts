import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../database/index.js';
import { HealthWarnings } from '../health/index.js';
import { countFailed, countWaiting } from './deliveries/deliveries.js';
import { FinanceRecipients } from './finance-recipients.js';

/** Health warnings about notices. The service stays ready, because gifts are still accepted. */
@Injectable()
export class NoticeWarnings implements OnModuleInit {
  constructor(
    private readonly health: HealthWarnings,
    private readonly transactions: Transactions,
    private readonly recipients: FinanceRecipients,
  ) {}

  onModuleInit(): void {
    this.health.add(() => this.noRecipient());
    this.health.add(() => this.mailWaits(), { isTask: true });
    this.health.add(() => this.givenUp(), { isTask: true });
  }

  private async noRecipient(): Promise<string | undefined> {
    const addresses = await this.recipients.configured();
    if (addresses.length > 0) return undefined;
    return (
      'No one is notified of reversals: no user with the role Finance has an e-mail address. Ask the person who runs ' +
      'Offertory on your server to add yours, or to set FINANCE_EMAILS.'
    );
  }

  private async mailWaits(): Promise<string | undefined> {
    const waiting = await this.transactions.run(countWaiting);
    if (waiting === 0) return undefined;
    return `Notices of reversals could not be sent and will be tried again: ${waiting}.`;
  }

  private async givenUp(): Promise<string | undefined> {
    const failed = await this.transactions.run(countFailed);
    if (failed === 0) return undefined;
    return `Notices of reversals were given up in the last days: ${failed}. See: offertory notification list --status failed`;
  }
}

import { Injectable, OnModuleInit } from '@nestjs/common';
import { Configuration } from '../../config/index.js';
import { Transactions } from '../../database/index.js';
import { DoctorChecks, type Finding } from '../../health/index.js';
import { countTroubles } from './webhook-troubles.js';

const CHECK = 'webhooks';

/** Doctor check about webhooks. */
@Injectable()
export class WebhookDoctorChecks implements OnModuleInit {
  constructor(
    private readonly checks: DoctorChecks,
    private readonly configuration: Configuration,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.checks.add(CHECK, () => this.webhooks());
  }

  private async webhooks(): Promise<Finding> {
    const { failing, gone, waiting, enabled } = await this.transactions.run(countTroubles);
    if (failing + gone > 0) {
      const found = `${failing} with messages that were given up, ${gone} that the receiver has ended, in the last days`;
      const advice =
        'offertory webhook deliveries --status failed; when the receiver works: webhook replay --all. ' +
        'One that was ended: webhook disable <id>, or webhook enable <id>.';
      return { check: CHECK, result: 'warning', found, advice };
    }
    if (this.configuration.webhooks.allowPrivate) {
      const found = 'they may go to private addresses, and over plain HTTP';
      return {
        check: CHECK,
        result: 'warning',
        found,
        advice: 'Remove WEBHOOK_ALLOW_PRIVATE unless a receiver needs it.',
      };
    }
    if (waiting > 0) {
      const found = `${waiting} with messages that have failed and are tried again`;
      return { check: CHECK, result: 'warning', found, advice: 'offertory webhook deliveries --status pending' };
    }
    return { check: CHECK, result: 'ok', found: enabled === 0 ? 'none' : `${enabled} reach their receivers` };
  }
}

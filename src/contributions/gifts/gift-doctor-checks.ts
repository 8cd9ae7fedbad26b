import { Injectable, OnModuleInit } from '@nestjs/common';
import { DatabaseClock, Transactions } from '../../database/index.js';
import { DoctorChecks, type Finding } from '../../health/index.js';
import { Funds } from '../funds/index.js';

/** Doctor checks about the recording of gifts. */
@Injectable()
export class GiftDoctorChecks implements OnModuleInit {
  constructor(
    private readonly checks: DoctorChecks,
    private readonly transactions: Transactions,
    private readonly databaseClock: DatabaseClock,
    private readonly funds: Funds,
  ) {}

  onModuleInit(): void {
    this.checks.add('default fund', () => this.defaultFund(), { watched: true });
    this.checks.add('clock', () => this.clock(), { watched: true });
  }

  private async defaultFund(): Promise<Finding> {
    const check = 'default fund';
    const fund = (await this.funds.list()).find((candidate) => candidate.default);
    const advice = 'Choose an open fund: offertory fund list, then fund default <id>.';
    if (fund === undefined)
      return { check, result: 'fault', found: 'none: a gift that names no fund is refused', advice };
    if (fund.open) return { check, result: 'ok', found: fund.name };
    return {
      check,
      result: 'warning',
      found: `${fund.name} is closed: each gift that names no fund is listed for review`,
      advice,
    };
  }

  /** Days and time limits use the database's clock. If this machine's clock differs, one of the two is wrong. */
  private async clock(): Promise<Finding> {
    const check = 'clock';
    const [row] = await this.transactions.query<{ now: Date; last: Date | null }>(
      'SELECT clock_timestamp() AS now, (SELECT created_at FROM contribution ORDER BY id DESC LIMIT 1) AS last',
    );
    const now = row?.now.getTime() ?? NaN;
    const apart = Math.abs(this.databaseClock.aheadOfThisMachine()) / 1_000;
    const advice = 'Set the time from the network on both machines: timedatectl set-ntp true';
    if (!(apart < 2)) {
      const found = `this machine and the database are ${apart.toFixed(0)} s apart; gifts get the day of the database`;
      return { check, result: 'fault', found, advice };
    }
    if (row?.last && row.last.getTime() > now + 1_000)
      return { check, result: 'fault', found: 'a gift was recorded later than now: the clock was set back', advice };
    return { check, result: 'ok', found: `${new Date(now).toISOString()}, the same here and in the database` };
  }
}

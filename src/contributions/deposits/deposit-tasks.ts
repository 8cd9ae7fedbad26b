import { Injectable, OnModuleInit } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { DatabaseClock } from '../../database/index.js';
import { DoctorChecks, type Finding } from '../../health/index.js';
import { HomeParts, type Task } from '../../pages/index.js';
import { churchToday } from '../../values/index.js';
import { Deposits } from './showing/deposits.service.js';
import { PAYOUTS_PER_LIST } from './showing/payout-view.js';
import { Undeposited } from './showing/undeposited.service.js';

/** A payout is usually at the bank, and compared, by then. */
const DAYS = 14;

/** Tells Finance on the home page of payouts without a deposit, and of deposits that differ; and of these the operator, too. */
@Injectable()
export class DepositTasks implements OnModuleInit {
  constructor(
    private readonly home: HomeParts,
    private readonly checks: DoctorChecks,
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
    private readonly clock: DatabaseClock,
    private readonly church: Church,
  ) {}

  onModuleInit(): void {
    this.home.addTask(() => this.withoutDeposit());
    this.home.addTask(() => this.differing());
    this.checks.add('deposits', () => this.longDiffering());
  }

  private async withoutDeposit(): Promise<Task | undefined> {
    const count = await this.undeposited.countPayouts();
    if (count === 0) return undefined;
    const label = count === 1 ? 'payout without a deposit' : 'payouts without a deposit';
    // More are not counted.
    return { count, label: count < PAYOUTS_PER_LIST ? label : `or more ${label}`, to: '/console/deposits' };
  }

  private async differing(): Promise<Task | undefined> {
    const { count } = await this.count();
    if (count === 0) return undefined;
    const label = count === 1 ? 'deposit that differs' : 'deposits that differ';
    return { count, label, to: '/console/deposits?status=Differs' };
  }

  private async longDiffering(): Promise<Finding> {
    const check = 'deposits';
    const { old } = await this.count();
    if (old === 0) return { check, result: 'ok', found: `none differs for more than ${DAYS} days` };
    const found = `${old} ${old === 1 ? 'differs' : 'differ'} for more than ${DAYS} days`;
    const advice = 'Finance has to look at them: offertory deposit list --status differs, then deposit show <id>.';
    return { check, result: 'warning', found, advice };
  }

  private async count(): Promise<{ readonly count: number; readonly old: number }> {
    return this.deposits.countDiffering(churchToday(this.clock.now(), this.church.timeZone), DAYS);
  }
}

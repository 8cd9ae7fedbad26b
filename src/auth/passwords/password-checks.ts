import { Injectable } from '@nestjs/common';
import { ServiceBusyError } from '../../http/index.js';
import { LimitWatch, Metrics } from '../../metrics/index.js';
import { LaneFullError } from '../lane.js';
import { type CheckedCaller, CheckLane } from './check-lane.js';
import { type PasswordAndHash, verifyPassword } from './password.js';

const RETRY_AFTER_SECONDS = 1;

/** A password to check. */
export interface PasswordCheck extends PasswordAndHash, CheckedCaller {
  readonly lane: LaneName;
}

/**
 * Who waits in which lane: `known` for networks from which the user has logged in before, `new` for all others. A flood
 * of guesses from many networks fills the lane for new ones only.
 */
export type LaneName = 'known' | 'new';

/**
 * Checks passwords against argon2id hashes, few at a time and within a budget. Each check is expensive by design, so a
 * flood of wrong passwords would use the whole processor. One network and one user name may each use at most half of
 * a lane.
 */
@Injectable()
export class PasswordChecks {
  private readonly lanes: Readonly<Record<LaneName, CheckLane>> = { known: new CheckLane(), new: new CheckLane() };
  private readonly seconds;

  constructor(
    metrics: Metrics,
    private readonly limits: LimitWatch,
  ) {
    this.seconds = metrics.histogram(
      'offertory_password_check_seconds',
      'Duration of password checks, without their wait',
      {
        buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
      },
    );
    metrics.gauges(
      'password checks',
      { offertory_password_checks_waiting: { help: 'Password checks that wait' } },
      () => ({ offertory_password_checks_waiting: [{ value: this.lanes.known.waiting + this.lanes.new.waiting }] }),
    );
  }

  /** @throws ServiceBusyError when too many checks wait already, or half as many from this network or for this user name. */
  assertCapacity(caller: CheckedCaller, lane: LaneName): void {
    try {
      this.lanes[lane].assertCapacity(caller);
    } catch (error) {
      throw this.refusal(error, lane);
    }
  }

  /** True when the password matches the hash. @throws ServiceBusyError */
  async verify({ passwordHash, password, username, network, lane }: PasswordCheck): Promise<boolean> {
    try {
      return await this.lanes[lane].run({ username, network }, () => this.measured({ passwordHash, password }));
    } catch (error) {
      throw this.refusal(error, lane);
    }
  }

  private async measured(password: PasswordAndHash): Promise<{ result: boolean; milliseconds: number }> {
    const stop = this.seconds.startTimer();
    const result = await verifyPassword(password);
    return { result, milliseconds: stop() * 1_000 };
  }

  private refusal(error: unknown, lane: LaneName): unknown {
    if (!(error instanceof LaneFullError)) return error;
    this.limits.refused('password_checks', `from ${lane} networks`);
    return new ServiceBusyError('Too many passwords are being checked. Please repeat the call.', RETRY_AFTER_SECONDS);
  }
}

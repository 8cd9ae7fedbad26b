import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { DoctorChecks } from '../health/index.js';
import { DatabaseFindings } from './database-findings.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Logs faults of the database and the books, at the start of the service and once a day. Gifts are still recorded, but
 * some may be lost or misplaced later. The doctor finds these faults, too, but somebody has to run it.
 */
@Injectable()
export class FaultWatch implements OnModuleDestroy {
  private readonly logger = new Logger('Doctor');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DatabaseFindings,
    private readonly checks: DoctorChecks,
  ) {}

  /** Checks now, and then once a day. */
  async start(): Promise<void> {
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.check(), DAY_MS).unref();
    await this.check();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    try {
      const findings = [...(await this.database.all()), ...(await this.checks.findings({ watched: true }))];
      for (const { check, result, found, advice = '' } of findings) {
        if (result === 'fault') this.logger.error(`The installation has a fault (${check}): ${found}. ${advice}`);
        if (result === 'warning') this.logger.warn(`The installation needs attention (${check}): ${found}. ${advice}`);
      }
    } catch {
      // The database is unavailable, which other parts log. The next check is tomorrow.
    }
  }
}

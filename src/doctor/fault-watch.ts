import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { DoctorChecks } from '../health/index.js';
import { DatabaseFindings } from './database-findings.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Logs, at the start of the service and once a day, what is wrong with the database and the books: faults that keep no
 * gift out now, but lose or misplace some later. The doctor finds them too, but somebody has to ask it.
 */
@Injectable()
export class FaultWatch implements OnModuleDestroy {
  private readonly logger = new Logger('Doctor');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DatabaseFindings,
    private readonly checks: DoctorChecks,
  ) {}

  /** Looks now, and from then on once a day. */
  async start(): Promise<void> {
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.look(), DAY_MS).unref();
    await this.look();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    try {
      const findings = [...(await this.database.all()), ...(await this.checks.findings({ watched: true }))];
      for (const { check, result, found, advice = '' } of findings) {
        if (result === 'fault') this.logger.error(`The installation has a fault (${check}): ${found}. ${advice}`);
        if (result === 'warning') this.logger.warn(`The installation needs a look (${check}): ${found}. ${advice}`);
      }
    } catch {
      // The database is away, which those say who need it. Tomorrow again.
    }
  }
}

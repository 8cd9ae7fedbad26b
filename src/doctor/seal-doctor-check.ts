import { Injectable, OnModuleInit } from '@nestjs/common';
import { SEAL_OVERDUE_SECONDS, SealAuditTrail } from '../audit/index.js';
import { DoctorChecks, type Finding } from '../health/index.js';

/** Checks that the audit trail is being sealed. Here, because audit does not import health. */
@Injectable()
export class SealDoctorCheck implements OnModuleInit {
  constructor(
    private readonly checks: DoctorChecks,
    private readonly seals: SealAuditTrail,
  ) {}

  onModuleInit(): void {
    // Not watched: a service that starts has not sealed yet, and the worker that seals logs when it is overdue.
    this.checks.add('audit trail', () => this.unsealed());
  }

  private async unsealed(): Promise<Finding> {
    const check = 'audit trail';
    const { entries, seconds } = await this.seals.unsealed();
    if (seconds < SEAL_OVERDUE_SECONDS) return { check, result: 'ok', found: `${entries} entries are not sealed yet` };
    const found = `${entries} entries are not sealed, the oldest for ${Math.round(seconds / 60)} minutes`;
    const advice =
      'The running service seals them every minute. Is it running, and does its log name the queue seal-audit-trail? A ' +
      'transaction that has added an entry and stays open delays it, too: see pg_stat_activity.';
    return { check, result: 'warning', found, advice };
  }
}

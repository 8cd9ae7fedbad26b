import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/index.js';
import { Metrics } from '../../metrics/index.js';
import { SEAL_OVERDUE_SECONDS, SealAuditTrail } from './seal-audit-trail.service.js';

const SEAL_AUDIT_TRAIL = 'seal-audit-trail';
const SEAL_EVERY_SECONDS = 60;

const LOG_AUDIT_SEAL = 'log-audit-seal';
const LOG_EVERY_SECONDS = 3_600;

/** How often the log says that entries wait for their seal for too long, in milliseconds. */
const WARN_EVERY_MS = 60 * 60_000;

/**
 * Seals the audit trail every minute. Notes the latest seal outside of the database, in the metrics and once an hour in
 * the log: with such a note, a rewritten chain of seals can be detected.
 */
@Injectable()
export class AuditSealsWorker implements OnModuleInit {
  private readonly logger = new Logger('AuditTrail');
  private warnedAt = -Infinity;

  constructor(
    private readonly queue: JobQueue,
    private readonly metrics: Metrics,
    private readonly seals: SealAuditTrail,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(SEAL_EVERY_SECONDS, SEAL_AUDIT_TRAIL, async (_data, { signal }) => {
      await this.seals.sealAll(signal);
      await this.warnIfOverdue();
    });
    this.queue.handleEvery(LOG_EVERY_SECONDS, LOG_AUDIT_SEAL, () => this.logLatest());
    this.addGauges();
  }

  private async logLatest(): Promise<void> {
    const seal = await this.seals.latest();
    if (seal === undefined) return;
    this.logger.log(`Seal ${seal.number} of the audit trail, up to entry ${seal.lastEntry}, has the hash ${seal.hash}`);
  }

  /** Sealing can stop without an error, for example behind a transaction that stays open. */
  private async warnIfOverdue(): Promise<void> {
    const { entries, seconds } = await this.seals.unsealed();
    if (seconds < SEAL_OVERDUE_SECONDS || performance.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = performance.now();
    this.logger.error(
      `${entries} entries of the audit trail are not sealed, the oldest for ${Math.round(seconds)} s. ` +
        'docs/operating.md, "The audit trail", says what to do.',
    );
  }

  private addGauges(): void {
    this.metrics.gauges(
      'audit',
      {
        offertory_audit_seal_info: {
          help: 'Always 1; the labels are the latest seal of the audit trail. The same on every replica',
          labelNames: ['number', 'hash'],
        },
        offertory_audit_unsealed_entries: {
          help: 'Entries of the audit trail that are not sealed yet. The same on every replica',
        },
        offertory_audit_unsealed_seconds: {
          help: 'Age of the oldest entry of the audit trail that is not sealed yet; 0 if there is none. The same on every replica',
        },
      },
      async () => {
        const seal = await this.seals.latest();
        const { entries, seconds } = await this.seals.unsealed();
        return {
          offertory_audit_seal_info:
            seal === undefined ? [] : [{ labels: { number: String(seal.number), hash: seal.hash }, value: 1 }],
          offertory_audit_unsealed_entries: [{ value: entries }],
          offertory_audit_unsealed_seconds: [{ value: seconds }],
        };
      },
    );
  }
}

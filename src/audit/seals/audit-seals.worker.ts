import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { AuxiliaryQueries } from '../../database/index.js';
import { JobQueue } from '../../jobs/index.js';
import { Metrics } from '../../metrics/index.js';
import { SealAuditTrail } from './seal-audit-trail.service.js';

const SEAL_AUDIT_TRAIL = 'seal-audit-trail';
const SEAL_EVERY_SECONDS = 60;

const LOG_AUDIT_SEAL = 'log-audit-seal';
const LOG_EVERY_SECONDS = 86_400;

const COUNT_UNSEALED = `
  SELECT count(*)::integer AS unsealed FROM audit_entry
  WHERE id > COALESCE((SELECT last_id FROM audit_seal ORDER BY number DESC LIMIT 1), -2147483648)`;

/**
 * Seals the audit trail every minute. Notes the latest seal outside of the database, in the metrics and once a day in the
 * log: with such a note, a rewritten chain of seals can be detected.
 */
@Injectable()
export class AuditSealsWorker implements OnModuleInit {
  private readonly logger = new Logger('AuditTrail');

  constructor(
    private readonly queue: JobQueue,
    private readonly metrics: Metrics,
    private readonly queries: AuxiliaryQueries,
    private readonly seals: SealAuditTrail,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(SEAL_EVERY_SECONDS, SEAL_AUDIT_TRAIL, async (_data, { signal }) => {
      await this.seals.sealAll(signal);
    });
    this.queue.handleEvery(LOG_EVERY_SECONDS, LOG_AUDIT_SEAL, () => this.logLatest());
    this.addGauges();
  }

  private async logLatest(): Promise<void> {
    const seal = await this.seals.latest();
    if (seal === undefined) return;
    this.logger.log(`Seal ${seal.number} of the audit trail, up to entry ${seal.lastEntry}, has the hash ${seal.hash}`);
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
      },
      async () => {
        const seal = await this.seals.latest();
        const [row] = await this.queries.query<{ unsealed: number }>(COUNT_UNSEALED);
        return {
          offertory_audit_seal_info:
            seal === undefined ? [] : [{ labels: { number: String(seal.number), hash: seal.hash }, value: 1 }],
          offertory_audit_unsealed_entries: [{ value: row?.unsealed ?? 0 }],
        };
      },
    );
  }
}

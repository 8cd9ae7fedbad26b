import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { prepared, Transactions } from '../../../database/index.js';
import { isUseDue, RecordedUses } from '../../recorded-uses.js';

/** An SQL condition: the last use of the session `s` was not recorded in the last minute. */
export const SESSION_USE_IS_DUE = isUseDue('s.last_used_at');

const RECORD = prepared(`
  UPDATE session SET last_used_at = now() WHERE id = (
    SELECT s.id FROM session s WHERE s.id = $1 AND ${SESSION_USE_IS_DUE} FOR NO KEY UPDATE SKIP LOCKED)`);

/** Records when sessions were last used: for each session at most once a minute. */
@Injectable()
export class SessionUses implements OnModuleDestroy {
  private readonly uses: RecordedUses;

  constructor(transactions: Transactions) {
    this.uses = new RecordedUses(transactions, 'session', RECORD);
  }

  /** Begins to record that a session is used now. */
  record(sessionId: number): void {
    this.uses.record(sessionId);
  }

  async onModuleDestroy(): Promise<void> {
    await this.uses.end();
  }
}

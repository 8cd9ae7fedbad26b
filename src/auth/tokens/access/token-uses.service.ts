import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { prepared, Transactions } from '../../../database/index.js';
import { isUseDue, RecordedUses } from '../../recorded-uses.js';

/** An SQL condition: the last use of the token `t` was not recorded in the last minute. */
export const USE_IS_DUE = isUseDue('t.last_used_at');

/** Skips a token on which another session works, such as the command that revokes it. */
const RECORD = prepared(`
  UPDATE api_token SET last_used_at = now() WHERE id = (
    SELECT t.id FROM api_token t WHERE t.id = $1 AND ${USE_IS_DUE} FOR NO KEY UPDATE SKIP LOCKED)`);

/** Records when tokens were last used: for each token at most once a minute. */
@Injectable()
export class TokenUses implements OnModuleDestroy {
  private readonly uses: RecordedUses;

  constructor(transactions: Transactions) {
    this.uses = new RecordedUses(transactions, 'token', RECORD);
  }

  /** Begins to record that a token is used now. */
  record(tokenId: number): void {
    this.uses.record(tokenId);
  }

  async onModuleDestroy(): Promise<void> {
    await this.uses.end();
  }
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { sqlRow, Transactions } from '../../../database/index.js';
import { Idempotency, type Outcome, SentRequest } from '../../../idempotency/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { assertDecimals } from '../currency-of-deposit.js';
import { lockDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositReconciledError } from '../errors.js';

/** An adjustment of a deposit. */
export interface AdjustDepositCommand {
  readonly id: number;
  /** Decimal text with two decimals, not zero. */
  readonly amount: string;
  readonly reason: string;
  readonly by: Actor;
  /** The caller's Idempotency-Key, if it sent one, with its user. */
  readonly call?: { readonly userId: number; readonly key: string | undefined };
}

const INSERT_ADJUSTMENT = `
  INSERT INTO deposit_adjustment (deposit_id, amount, reason, added_by) VALUES ($1, $2, $3, $4) RETURNING id`;

/** Adds to what a deposit should be, or takes from it, with a reason. */
@Injectable()
export class AdjustDeposit {
  constructor(
    private readonly transactions: Transactions,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds an adjustment. It is never changed: the opposite one undoes it.
   * @throws DepositNotFoundError, DepositReconciledError, InvalidRequestError for an amount with more decimals than the currency of
   * the deposit has, and the errors of {@link Idempotency.once}.
   */
  async adjust(command: AdjustDepositCommand): Promise<Outcome<DepositView>> {
    const { id, amount, reason, call } = command;
    return this.transactions.run(async (tx) => {
      const work = async (): Promise<Outcome<DepositView>> => ({
        answer: await this.adjustIn(tx, command),
        replayed: false,
      });
      if (call === undefined) return work();
      const sent = new SentRequest({ id, amount, reason });
      return this.idempotency.once(tx, { ...call, operation: 'AdjustDeposit', sent }, work);
    });
  }

  private async adjustIn(tx: EntityManager, { id, amount, reason, by }: AdjustDepositCommand): Promise<DepositView> {
    const { isReconciled, currency } = await lockDeposit(tx, id);
    if (isReconciled) throw new DepositReconciledError(id);
    assertDecimals([{ field: 'Amount', amount }], currency);
    const row = await sqlRow<{ id: number }>(tx, INSERT_ADJUSTMENT, [id, amount, reason, nameOf(by)]);
    const details = { adjustmentId: row?.id ?? 0, amount: `${currency} ${amount}` };
    await this.audit.record(tx, { action: DEPOSIT_ACTIONS.adjust, subject: `deposit ${id}`, details, by });
    return readDeposit(tx, id);
  }
}

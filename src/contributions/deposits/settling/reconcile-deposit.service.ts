import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { sqlRows, TransactionalEvents } from '../../../database/index.js';
import { storedAmount } from '../../../values/index.js';
import { DepositReconciled } from '../../events/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { lockDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositChangedError, DepositDiffersError } from '../errors.js';
import { LateItems } from '../filling/late-items.service.js';

/** A deposit to reconcile, and what the caller has seen of it. */
export interface ReconcileDepositCommand {
  readonly id: number;
  readonly by: Actor;
  /** The number of its items; undefined: any. */
  readonly itemCount?: number | undefined;
  /** The expected amount, as decimal text; undefined: any. */
  readonly expected?: string | undefined;
}

const RECONCILE = 'UPDATE deposit SET reconciled_at = now(), reconciled_by = $2 WHERE id = $1';

/** Reconciles a deposit: it is in the bank, and never changes again. */
@Injectable()
export class ReconcileDeposit {
  constructor(
    private readonly lateItems: LateItems,
    private readonly audit: AuditTrail,
    private readonly events: TransactionalEvents,
  ) {}

  /**
   * Reconciles a deposit that matches. To reconcile it again has no effect.
   * @throws DepositNotFoundError, DepositChangedError if it is not as the caller has seen it, DepositDiffersError
   */
  async reconcile(command: ReconcileDepositCommand): Promise<DepositView> {
    const { id, by } = command;
    return this.lateItems.attempt(async (tx) => {
      const locked = await lockDeposit(tx, id);
      await this.lateItems.findIn(tx, locked);
      const deposit = await readDeposit(tx, id);
      if (!isAsSeen(deposit, command)) throw new DepositChangedError(deposit);
      if (deposit.status === 'Reconciled') return deposit;
      if (deposit.status !== 'Matches') throw new DepositDiffersError(deposit);
      await sqlRows(tx, RECONCILE, [id, nameOf(by)]);
      const details = { items: deposit.itemCount, expected: `${deposit.currency} ${deposit.expected}` };
      await this.audit.record(tx, { action: DEPOSIT_ACTIONS.reconcile, subject: `deposit ${id}`, details, by });
      const reconciled = await readDeposit(tx, id);
      const { user: username, reconciledAt } = reconciled;
      const event = { eventId: randomUUID(), id, username, reconciledAt: reconciledAt ?? '' };
      await this.events.publish(new DepositReconciled(event), tx);
      return reconciled;
    });
  }
}

function isAsSeen(deposit: DepositView, seen: ReconcileDepositCommand): boolean {
  return (
    (seen.itemCount ?? deposit.itemCount) === deposit.itemCount &&
    (seen.expected === undefined || storedAmount(seen.expected) === storedAmount(deposit.expected))
  );
}

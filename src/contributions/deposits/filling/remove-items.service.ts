import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { sqlRows, Transactions } from '../../../database/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { lockDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositItemNotFoundError, DepositReconciledError } from '../errors.js';

/** Items to remove from a deposit. */
export interface RemoveItemsCommand {
  readonly id: number;
  readonly itemIds: readonly number[];
  readonly reason: string;
  readonly by: Actor;
}

const SELECT_ITEMS = `
  SELECT id, removed_at IS NOT NULL AS "isRemoved" FROM deposit_item WHERE deposit_id = $1 AND id = ANY ($2::integer[])`;

const REMOVE_ITEMS = `
  UPDATE deposit_item SET removed_at = now(), removed_by = $3, removal_reason = $4
  WHERE deposit_id = $1 AND id = ANY ($2::integer[]) AND removed_at IS NULL`;

/** Removes items that do not belong to a deposit. They stay as a record, and another deposit can have them. */
@Injectable()
export class RemoveItems {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Removes the items. What is removed already stays so. The processor's repeated call does not add them again.
   * @throws DepositNotFoundError, DepositItemNotFoundError, DepositReconciledError
   */
  async remove({ id, itemIds, reason, by }: RemoveItemsCommand): Promise<DepositView> {
    return this.transactions.run(async (tx) => {
      const deposit = await lockDeposit(tx, id);
      const items = await sqlRows<{ id: number; isRemoved: boolean }>(tx, SELECT_ITEMS, [id, itemIds]);
      const unknown = itemIds.find((itemId) => !items.some((item) => item.id === itemId));
      if (unknown !== undefined) throw new DepositItemNotFoundError(`Deposit ${id} has no item ${unknown}`);
      const removed = items.filter(({ isRemoved }) => !isRemoved).map((item) => item.id);
      if (removed.length === 0) return readDeposit(tx, id);
      if (deposit.isReconciled) throw new DepositReconciledError(id);
      await sqlRows(tx, REMOVE_ITEMS, [id, removed, nameOf(by), reason]);
      await this.audit.record(tx, {
        action: DEPOSIT_ACTIONS.remove,
        subject: `deposit ${id}`,
        details: { itemIds: removed },
        by,
      });
      return readDeposit(tx, id);
    });
  }
}

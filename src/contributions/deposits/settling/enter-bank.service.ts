import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { sqlRows, Transactions } from '../../../database/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { lockDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { DepositReconciledError } from '../errors.js';

/** What the bank says of a deposit. */
export interface EnterBankCommand {
  readonly id: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Decimal text with two decimals; negative if the bank paid. */
  readonly amount: string;
  readonly reference: string | null;
  readonly by: Actor;
}

const UPDATE_BANK = `
  UPDATE deposit SET bank_day = $2, bank_amount = $3, bank_reference = $4
  WHERE id = $1 AND (bank_day, bank_amount, bank_reference) IS DISTINCT FROM ($2::date, $3::numeric, $4::text)
  RETURNING id`;

/** Enters what the bank says of a deposit. */
@Injectable()
export class EnterBank {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Replaces what was entered before. To enter the same again changes nothing.
   * @throws DepositNotFoundError, DepositReconciledError
   */
  async enter({ id, date, amount, reference, by }: EnterBankCommand): Promise<DepositView> {
    return this.transactions.run(async (tx) => {
      const { isReconciled, currency } = await lockDeposit(tx, id);
      if (isReconciled) throw new DepositReconciledError(id);
      const changed = await sqlRows(tx, UPDATE_BANK, [id, date, amount, reference]);
      if (changed.length > 0) {
        const details = { bankDate: date, bankAmount: `${currency} ${amount}` };
        await this.audit.record(tx, { action: DEPOSIT_ACTIONS.bank, subject: `deposit ${id}`, details, by });
      }
      return readDeposit(tx, id);
    });
  }
}

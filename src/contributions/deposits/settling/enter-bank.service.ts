import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { sqlRows, Transactions } from '../../../database/index.js';
import { storedAmount } from '../../../values/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { assertDecimals } from '../currency-of-deposit.js';
import { lockDeposit, readDeposit } from '../deposit-rows.js';
import type { DepositView } from '../deposit-view.js';
import { BankChangedError, DepositReconciledError } from '../errors.js';

/** What the bank says of a deposit. */
export interface EnterBankCommand {
  readonly id: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Decimal text with two decimals; negative if the bank paid. */
  readonly amount: string;
  readonly reference: string | null;
  readonly by: Actor;
  /** What the caller has seen of it; undefined: anything. */
  readonly seen?: SeenBank | undefined;
}

/** What was entered before: null if nothing was; undefined if the caller does not say what it has seen. */
export interface SeenBank {
  readonly bankDate?: string | null | undefined;
  readonly bankAmount?: string | null | undefined;
  readonly bankReference?: string | null | undefined;
}

/** What was entered for a deposit, to be withdrawn. */
export type WithdrawBankCommand = Pick<EnterBankCommand, 'id' | 'by' | 'seen'>;

const WITHDRAW_BANK = 'UPDATE deposit SET bank_day = NULL, bank_amount = NULL, bank_reference = NULL WHERE id = $1';

const UPDATE_BANK = `
  UPDATE deposit SET bank_day = $2, bank_amount = $3, bank_reference = $4
  WHERE id = $1 AND (bank_day, bank_amount, bank_reference) IS DISTINCT FROM ($2::date, $3::numeric, $4::text)
  RETURNING id`;

/** Enters what the bank says of a deposit, and withdraws it. */
@Injectable()
export class EnterBank {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Replaces what was entered before. To enter the same again changes nothing.
   * @throws DepositNotFoundError, DepositReconciledError, BankChangedError if the caller has seen something else,
   * InvalidRequestError for an amount with more decimals than the currency of the deposit has
   */
  async enter(command: EnterBankCommand): Promise<DepositView> {
    const { id, date, amount, reference, by, seen } = command;
    return this.transactions.run(async (tx) => {
      const { isReconciled, currency } = await lockDeposit(tx, id);
      if (isReconciled) throw new DepositReconciledError(id);
      assertDecimals([{ field: 'Amount', amount }], currency);
      const before = await readDeposit(tx, id);
      if (seen !== undefined && !isAsSeen(before, seen) && !isAsEntered(before, command))
        throw new BankChangedError(before);
      const changed = await sqlRows(tx, UPDATE_BANK, [id, date, amount, reference]);
      if (changed.length > 0) {
        const details = { bankDate: date, bankAmount: `${currency} ${amount}` };
        await this.audit.record(tx, { action: DEPOSIT_ACTIONS.bank, subject: `deposit ${id}`, details, by });
      }
      return readDeposit(tx, id);
    });
  }

  /**
   * Withdraws what was entered, as if it never was. If nothing is entered, nothing changes.
   * @throws DepositNotFoundError, DepositReconciledError, BankChangedError if the caller has seen something else
   */
  async withdraw({ id, by, seen = {} }: WithdrawBankCommand): Promise<DepositView> {
    return this.transactions.run(async (tx) => {
      const { isReconciled, currency } = await lockDeposit(tx, id);
      if (isReconciled) throw new DepositReconciledError(id);
      const before = await readDeposit(tx, id);
      const { bankDate, bankAmount } = before;
      if (bankDate === null || bankAmount === null) return before;
      if (!isAsSeen(before, seen)) throw new BankChangedError(before);
      await sqlRows(tx, WITHDRAW_BANK, [id]);
      const details = { bankDate, bankAmount: `${currency} ${stored(bankAmount) ?? ''}` };
      await this.audit.record(tx, { action: DEPOSIT_ACTIONS['withdraw-bank'], subject: `deposit ${id}`, details, by });
      return readDeposit(tx, id);
    });
  }
}

function isAsSeen(now: DepositView, { bankDate, bankAmount, bankReference }: SeenBank): boolean {
  return (
    (bankDate === undefined || bankDate === now.bankDate) &&
    (bankReference === undefined || bankReference === now.bankReference) &&
    (bankAmount === undefined || stored(bankAmount) === stored(now.bankAmount))
  );
}

/** Whether the call before this one, or somebody else, has entered the same. */
function isAsEntered(now: DepositView, { date, amount, reference }: EnterBankCommand): boolean {
  return now.bankDate === date && now.bankReference === reference && stored(now.bankAmount) === amount;
}

function stored(amount: string | null): string | null {
  return amount === null ? null : storedAmount(amount);
}

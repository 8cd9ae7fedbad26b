import type { EntityManager } from 'typeorm';
import { sqlRow, sqlRows } from '../../database/index.js';
import { displayAmount } from '../../values/index.js';
import type { DepositView } from './deposit-view.js';
import { DepositNotFoundError } from './errors.js';

/** A row of {@link SELECT_DEPOSITS}. Amounts have the two decimals that are stored. */
export type DepositRow = Omit<DepositView, 'createdAt' | 'reconciledAt'> & {
  readonly createdAt: Date;
  readonly reconciledAt: Date | null;
};

const EXPECTED = '(d.gross - d.fees - d.reversed + d.adjusted)';

/** SQL for what a deposit is compared with: the bank's amount, or the processor's. */
const COMPARED = 'COALESCE(d.bank_amount, d.amount)';

/** SQL for the status of a deposit `d`. */
export const STATUS = `
  CASE WHEN d.reconciled_at IS NOT NULL THEN 'Reconciled' WHEN ${COMPARED} IS NULL THEN 'Open'
    WHEN ${COMPARED} = ${EXPECTED} AND d.unknown_count = 0 THEN 'Matches' ELSE 'Differs' END`;

/** Selects deposits `d`. Append a condition. Pass the rows to {@link depositOf}. */
export const SELECT_DEPOSITS = `
  SELECT d.id, d.source, d.deposit_id AS "depositId", u.username AS "user", d.day::text AS date, ${STATUS} AS status,
    d.currency, d.item_count AS "itemCount", d.unknown_count AS "unknownCount", d.gross, d.fees, d.reversed, d.adjusted,
    ${EXPECTED} AS expected, d.amount, d.bank_day::text AS "bankDate", d.bank_reference AS "bankReference",
    d.bank_amount AS "bankAmount", ${COMPARED} - ${EXPECTED} AS difference, d.created_by AS "createdBy",
    d.created_at AS "createdAt", d.reconciled_by AS "reconciledBy", d.reconciled_at AS "reconciledAt"
  FROM deposit d LEFT JOIN app_user u ON u.id = d.user_id`;

/** What Finance and processors see of a deposit. Amounts have the two decimals that are stored. */
interface SumsRow extends Pick<DepositRow, 'currency' | 'gross' | 'fees' | 'reversed' | 'expected'> {
  readonly amount: string | null;
  readonly difference: string | null;
  readonly createdAt: Date;
  readonly reconciledAt: Date | null;
}

/** The amounts with the decimals of their currency, and the times as text. */
export function shownSums(row: SumsRow): Pick<DepositView, Exclude<keyof SumsRow, 'currency'>> {
  const { currency, gross, fees, reversed, expected, amount, difference, createdAt, reconciledAt } = row;
  return {
    gross: displayAmount(gross, currency),
    fees: displayAmount(fees, currency),
    reversed: displayAmount(reversed, currency),
    expected: displayAmount(expected, currency),
    amount: shownIfAny(amount, currency),
    difference: shownIfAny(difference, currency),
    createdAt: createdAt.toISOString(),
    reconciledAt: reconciledAt?.toISOString() ?? null,
  };
}

function shownIfAny(amount: string | null, currency: string): string | null {
  return amount === null ? null : displayAmount(amount, currency);
}

/** The deposit with the decimals of its currency. */
export function depositOf(row: DepositRow): DepositView {
  const { adjusted, bankAmount, currency } = row;
  return {
    ...row,
    ...shownSums(row),
    adjusted: displayAmount(adjusted, currency),
    bankAmount: shownIfAny(bankAmount, currency),
  };
}

/** The deposit as it is now. @throws DepositNotFoundError */
export async function readDeposit(tx: EntityManager, id: number): Promise<DepositView> {
  const row = await sqlRow<DepositRow>(tx, `${SELECT_DEPOSITS} WHERE d.id = $1`, [id]);
  if (row === undefined) throw new DepositNotFoundError(id);
  return depositOf(row);
}

/** A deposit that this transaction has locked. */
export interface LockedDeposit {
  readonly id: number;
  /** The processor that has sent it; null for a deposit of Finance. */
  readonly userId: number | null;
  readonly source: string;
  readonly depositId: string;
  readonly date: string;
  readonly currency: string;
  /** As stored. */
  readonly amount: string | null;
  readonly isReconciled: boolean;
}

const LOCKED = `
  SELECT id, user_id AS "userId", source, deposit_id AS "depositId", day::text AS date, currency, amount,
    reconciled_at IS NOT NULL AS "isReconciled"
  FROM deposit`;

/** Locks a deposit: nobody else changes it or its items meanwhile. Locked before anything else. @throws DepositNotFoundError */
export async function lockDeposit(tx: EntityManager, id: number): Promise<LockedDeposit> {
  const deposit = await sqlRow<LockedDeposit>(tx, `${LOCKED} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  if (deposit === undefined) throw new DepositNotFoundError(id);
  return deposit;
}

/** What identifies a deposit for its sender. */
export interface DepositName {
  readonly userId: number | null;
  readonly source: string;
  readonly depositId: string;
  /** Undefined: any; of several deposits the one in the church’s currency, or the latest. */
  readonly currency?: string | undefined;
}

/** Locks the deposit with this name, if there is one. */
export async function lockNamedDeposit(
  tx: EntityManager,
  { userId, source, depositId, currency }: DepositName,
  currencyOfChurch: string,
): Promise<LockedDeposit | undefined> {
  const [deposit] = await sqlRows<LockedDeposit>(
    tx,
    `${LOCKED} WHERE user_id IS NOT DISTINCT FROM $1 AND source = $2 AND deposit_id = $3
       AND ($4::text IS NULL OR currency = $4)
     ORDER BY currency = $5 DESC, id DESC LIMIT 1 FOR NO KEY UPDATE`,
    [userId, source, depositId, currency, currencyOfChurch],
  );
  return deposit;
}

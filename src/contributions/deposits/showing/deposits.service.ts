import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { isoInstant, sqlRows, Transactions } from '../../../database/index.js';
import { displayAmount, type StoredAmount } from '../../../values/index.js';
import { DEPOSIT_ACTIONS } from '../audit-actions.js';
import { type DepositRow, depositOf, readDeposit, SELECT_DEPOSITS, STATUS } from '../deposit-rows.js';
import type { DepositStatus, DepositView } from '../deposit-view.js';
import { LateItems } from '../filling/late-items.service.js';
import { readCauseFacts } from './causes/cause-facts.js';
import type { LikelyCause } from './causes/likely-cause.js';
import { likelyCauses } from './causes/likely-causes.js';
import { bundlesOfDeposit } from './deposit-bundles.js';
import {
  type DepositAdjustmentView,
  type DepositDetails,
  DEPOSITS_PER_LIST,
  type ReversalSince,
  REVERSALS_SHOWN,
} from './deposit-details.js';
import { pageOfItems } from './item-rows.js';

/** The filter of a list of deposits. Undefined fields do not filter. */
export interface DepositFilter {
  readonly status?: DepositStatus | undefined;
  readonly source?: string | undefined;
  /** Days of payouts, YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only deposits with a lower id: the last id of the previous page. */
  readonly before?: number | undefined;
}

/** Which deposits that are not reconciled to list. */
export interface ToCompare {
  /** Only deposits with a higher id: `next` of the previous page. */
  readonly after?: number | undefined;
  readonly status?: DepositStatus | undefined;
}

/** A page of the items of a deposit. */
export interface ItemPage {
  /** The last item of the previous page. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

/** Items on a page of a deposit, if the caller does not say. */
const ITEMS_PER_PAGE = 200;

const SELECT_LIST = `
  ${SELECT_DEPOSITS}
  WHERE ($1::text IS NULL OR ${STATUS} = $1) AND ($2::text IS NULL OR d.source = $2)
    AND ($3::date IS NULL OR d.day >= $3) AND ($4::date IS NULL OR d.day <= $4) AND ($5::integer IS NULL OR d.id < $5)
  ORDER BY d.id DESC LIMIT ${DEPOSITS_PER_LIST}`;

/** Deposits in one list of those that are to be compared with the bank. */
const TO_COMPARE_PER_LIST = 100;

/** Reads the index of deposits that are not reconciled. $1 after this id, $2 status */
const SELECT_TO_COMPARE = `
  ${SELECT_DEPOSITS} WHERE d.reconciled_at IS NULL AND d.id > $1 AND ($2::text IS NULL OR ${STATUS} = $2)
  ORDER BY d.id LIMIT ${TO_COMPARE_PER_LIST + 1}`;

/** $1 payout ids, in any case */
const SELECT_RECONCILED = `
  SELECT id, deposit_id AS "depositId" FROM deposit
  WHERE reconciled_at IS NOT NULL AND lower(deposit_id) = ANY (SELECT lower(named) FROM unnest($1::text[]) AS named)
  ORDER BY id DESC LIMIT ${TO_COMPARE_PER_LIST}`;

/** Reads the index of deposits that are not reconciled. */
const COUNT_DIFFERING = `
  SELECT count(*)::integer AS count, count(*) FILTER (WHERE d.day < $1::date - $2::integer)::integer AS old
  FROM deposit d WHERE d.reconciled_at IS NULL AND ${STATUS} = 'Differs'`;

const SELECT_ADJUSTMENTS = `
  SELECT id AS "adjustmentId", amount, reason, added_by AS by,
    ${isoInstant('added_at')} AS at
  FROM deposit_adjustment WHERE deposit_id = $1 ORDER BY id`;

/** Reinstated reversals are left out: the money is back. */
const SELECT_REVERSED_SINCE = `
  SELECT r.reversal_id AS "reversalId", r.payment_id AS "paymentId", (-sum(r.amount))::text AS amount,
    min(r.day)::text AS day, min(r.reason) AS reason, held.deposit_id AS "inDeposit"
  FROM deposit_item i
    JOIN contribution r ON r.payment_id = i.payment_id AND r.payment_id <> r.id AND r.reverses_id IS NOT NULL
    LEFT JOIN deposit_item held ON held.reversal_id = r.reversal_id AND held.removed_at IS NULL
  WHERE i.deposit_id = $1 AND NOT i.is_reversal AND i.removed_at IS NULL AND held.deposit_id IS DISTINCT FROM $1
    AND NOT EXISTS (SELECT FROM contribution back WHERE back.reinstates_id = r.id)
  GROUP BY r.reversal_id, r.payment_id, held.deposit_id ORDER BY r.reversal_id`;

/** Lists and shows deposits. */
@Injectable()
export class Deposits {
  constructor(
    private readonly transactions: Transactions,
    private readonly lateItems: LateItems,
    private readonly audit: AuditTrail,
  ) {}

  /** The newest first, at most 200. */
  async list({ status, source, from, to, before }: DepositFilter): Promise<DepositView[]> {
    await this.lateItems.find();
    const rows = await this.transactions.query<DepositRow>(SELECT_LIST, [status, source, from, to, before]);
    return rows.map(depositOf);
  }

  /**
   * Deposits that are not reconciled: the 100 made first, in the order of their days, as a bank statement has them. `next` is the
   * highest id if there are more.
   */
  async toCompare({ after = 0, status }: ToCompare = {}): Promise<{
    readonly deposits: DepositView[];
    readonly next: number | undefined;
  }> {
    await this.lateItems.find();
    const rows = await this.transactions.query<DepositRow>(SELECT_TO_COMPARE, [after, status]);
    const deposits = rows.slice(0, TO_COMPARE_PER_LIST).map(depositOf);
    const next = rows.length > TO_COMPARE_PER_LIST ? deposits.at(-1)?.id : undefined;
    return { deposits: deposits.toSorted(byDay), next };
  }

  /** The reconciled deposits with these payout ids, in any case: the newest first, at most 100. */
  async reconciledAmong(payoutIds: readonly string[]): Promise<readonly Pick<DepositView, 'id' | 'depositId'>[]> {
    return this.transactions.query<Pick<DepositView, 'id' | 'depositId'>>(SELECT_RECONCILED, [payoutIds]);
  }

  /** A deposit without its items. @throws DepositNotFoundError */
  async read(id: number): Promise<DepositView> {
    await this.lateItems.find(id);
    return this.transactions.run((tx) => readDeposit(tx, id));
  }

  /** How many deposits differ; `old` ones are of a day that is more than so many days before `today`. */
  async countDiffering(today: string, days: number): Promise<{ readonly count: number; readonly old: number }> {
    await this.lateItems.find();
    const [row] = await this.transactions.query<{ count: number; old: number }>(COUNT_DIFFERING, [today, days]);
    return row ?? { count: 0, old: 0 };
  }

  /**
   * A deposit with a page of its items, and the likely causes of a difference. The reading is recorded with the givers of the
   * items.
   * @throws DepositNotFoundError
   */
  async show(id: number, { after = 0, limit = ITEMS_PER_PAGE }: ItemPage, by: Actor): Promise<DepositDetails> {
    await this.lateItems.find(id);
    const details = await this.transactions.run((tx) => detailsOf(tx, id, { after, limit }));
    await this.audit.recordReading({
      action: DEPOSIT_ACTIONS.read,
      subject: `deposit ${id}`,
      peopleIds: details.items.flatMap(({ giver }) => giver?.peopleId ?? []),
      by,
    });
    return details;
  }
}

function byDay(one: DepositView, other: DepositView): number {
  return one.date === other.date ? one.id - other.id : one.date.localeCompare(other.date);
}

/** The fields of an answer. */
type Fields<T> = Pick<T, keyof T>;

async function detailsOf(
  tx: EntityManager,
  id: number,
  page: { readonly after: number; readonly limit: number },
): Promise<DepositDetails> {
  const deposit: Fields<DepositView> = await readDeposit(tx, id);
  const shown = (amount: string): string => displayAmount(amount, deposit.currency);
  const adjustments = await sqlRows<DepositAdjustmentView>(tx, SELECT_ADJUSTMENTS, [id]);
  const reversedSince = await sqlRows<ReversalSinceRow>(tx, SELECT_REVERSED_SINCE, [id]);
  return {
    ...deposit,
    likelyCauses: await causesOf(tx, deposit, reversedSince),
    adjustments: adjustments.map(({ amount, ...rest }) => ({ ...rest, amount: shown(amount) })),
    reversedSince: reversedSince
      .slice(0, REVERSALS_SHOWN)
      .map(({ amount, ...rest }) => ({ ...rest, amount: shown(amount) })),
    bundles: await bundlesOfDeposit(tx, id),
    ...(await pageOfItems(tx, deposit, page)),
  };
}

/** A reversal with its amount as stored. */
type ReversalSinceRow = Omit<ReversalSince, 'amount'> & { readonly amount: StoredAmount };

async function causesOf(
  tx: EntityManager,
  deposit: DepositView,
  reversedSince: readonly ReversalSinceRow[],
): Promise<LikelyCause[]> {
  if (deposit.status !== 'Differs') return [];
  const reversed = reversedSince.filter(({ inDeposit }) => inDeposit === null);
  return likelyCauses(deposit, await readCauseFacts(tx, deposit, reversed));
}

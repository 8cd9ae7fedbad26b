import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../../database/index.js';
import { Property } from '../../../http/index.js';
import { INSTANT, PLAIN_ID_SCHEMA, TEXTS } from '../../../values/index.js';
import { COUNT, CURRENCY, DAY, MONEY } from '../../ledger/index.js';
import { shownSums } from '../deposit-rows.js';
import { DEPOSIT_STATUSES, type DepositStatus } from '../deposit-view.js';
import { DepositNotFoundError } from '../errors.js';

/**
 * A deposit as its processor sees it: its own gifts, compared with its own amount. What the bank says, adjustments, and gifts of
 * other users that Finance has added are the church's.
 */
export class SentDepositView {
  @Property(PLAIN_ID_SCHEMA, { description: 'Its id here.', examples: [7] })
  readonly id!: number;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['txt2give'] })
  readonly source!: string;

  @Property(TEXTS.ownId, { description: 'As sent.', examples: ['po_1042'] })
  readonly depositId!: string;

  @Property(TEXTS.actor, { description: 'Your user, who sent it.', examples: ['txt2give'] })
  readonly user!: string;

  @Property(DAY, { description: 'The day of the payout.', examples: ['2026-07-28'] })
  readonly date!: string;

  @Property(
    { type: 'string', enum: DEPOSIT_STATUSES },
    {
      description:
        '`Open`: it was sent without an amount. `Differs`: `difference` is not 0, or items are not in the books. ' +
        '`Matches`: neither. `Reconciled`: the church has found it at its bank, and it never changes.',
      examples: ['Matches'],
    },
  )
  readonly status!: DepositStatus;

  @Property(CURRENCY, { description: 'ISO 4217.', examples: ['USD'] })
  readonly currency!: string;

  @Property(COUNT, { description: 'Your payments and their reversals in it, without removed ones.', examples: [3] })
  readonly itemCount!: number;

  @Property(COUNT, { description: 'Those of them that are not in the books. They count as 0.', examples: [0] })
  readonly unknownCount!: number;

  @Property(MONEY, { description: 'The sum of these payments.', examples: ['1660.00'] })
  readonly gross!: string;

  @Property(MONEY, { description: 'What you keep.', examples: ['49.59'] })
  readonly fees!: string;

  @Property(MONEY, { description: 'The sum of these reversals.', examples: ['10.00'] })
  readonly reversed!: string;

  @Property(MONEY, { description: '`gross` − `fees` − `reversed`.', examples: ['1600.41'] })
  readonly expected!: string;

  @Property(MONEY, { description: 'As sent; null if it was not sent.', examples: ['1600.41'], nullable: true })
  readonly amount!: string | null;

  @Property(MONEY, { description: '`amount` without `expected`.', examples: ['0.00'], nullable: true })
  readonly difference!: string | null;

  @Property(INSTANT, { description: 'When it was first sent.', examples: ['2026-07-28T14:03:09.512Z'] })
  readonly createdAt!: string;

  @Property(INSTANT, {
    description: 'When the church reconciled it.',
    examples: ['2026-07-30T09:00:00.000Z'],
    nullable: true,
  })
  readonly reconciledAt!: string | null;
}

/** Amounts have the two decimals that are stored. */
type SentRow = Omit<SentDepositView, 'createdAt' | 'reconciledAt'> & {
  readonly createdAt: Date;
  readonly reconciledAt: Date | null;
};

/** Whose gift an item is: of the user who has sent it; while it is not in the books, of the user that it names. */
const SELECT_SENT = `
  SELECT d.id, d.source, d.deposit_id AS "depositId", u.username AS "user", d.day::text AS date,
    CASE WHEN d.reconciled_at IS NOT NULL THEN 'Reconciled' WHEN d.amount IS NULL THEN 'Open'
      WHEN d.amount = own.expected AND own."unknownCount" = 0 THEN 'Matches' ELSE 'Differs' END AS status,
    d.currency, own."itemCount", own."unknownCount", own.gross, own.fees, own.reversed, own.expected, d.amount,
    d.amount - own.expected AS difference, d.created_at AS "createdAt", d.reconciled_at AS "reconciledAt"
  FROM deposit d JOIN app_user u ON u.id = d.user_id
    CROSS JOIN LATERAL (
      SELECT sums.*, gross - fees - reversed AS expected
      FROM (
        SELECT count(*)::integer AS "itemCount", (count(*) FILTER (WHERE i.amount IS NULL))::integer AS "unknownCount",
          COALESCE(sum(i.amount) FILTER (WHERE NOT i.is_reversal), 0.00) AS gross,
          COALESCE(sum(i.fee) FILTER (WHERE i.amount IS NOT NULL), 0.00) AS fees,
          COALESCE(sum(i.amount) FILTER (WHERE i.is_reversal), 0.00) AS reversed
        FROM deposit_item i LEFT JOIN contribution gift ON gift.id = i.payment_id
        WHERE i.deposit_id = d.id AND i.removed_at IS NULL AND COALESCE(gift.added_by, i.user_id) = d.user_id
      ) sums
    ) own
  WHERE d.id = $1`;

/** A deposit of a processor, as the processor sees it. @throws DepositNotFoundError for one that no processor has sent */
export async function readSentDeposit(tx: EntityManager, id: number): Promise<SentDepositView> {
  const row = await sqlRow<SentRow>(tx, SELECT_SENT, [id]);
  if (row === undefined) throw new DepositNotFoundError(id);
  return { ...row, ...shownSums(row) };
}

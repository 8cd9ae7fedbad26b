import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../audit/index.js';
import { actorOf } from '../../../auth/index.js';
import { Church } from '../../../config/index.js';
import { DatabaseClock, sqlRows, Transactions } from '../../../database/index.js';
import { Idempotency, type Outcome } from '../../../idempotency/index.js';
import { churchToday } from '../../../values/index.js';
import { REVERSAL_ACTIONS } from '../audit-actions.js';
import type { Correction } from './correction.js';
import { NotReinstatableError } from '../errors.js';
import { isOfPayment } from '../../ledger/index.js';
import { lockGifts, lockPayment } from '../taking/payment-rows.js';
import type { ReinstatedContribution } from './corrections.answers.js';

/** A reversal to undo, by one of its entries, or by a gift of a payment with one reversal that is not undone yet. */
export interface ReinstateContributionCommand extends Correction {
  /** Stored with the new gifts. */
  readonly notes: string | undefined;
}

/**
 * $1 payment. The entries of one reversal have one reversal_id. A gift with several open reversals does not say which one is
 * meant: a call that is repeated would undo another one.
 */
const SELECT_ENTRIES = `
  SELECT c.id, c.reversal_id, EXISTS (SELECT FROM contribution r WHERE r.reinstates_id = c.id) AS is_undone
  FROM contribution c
  WHERE ${isOfPayment('c', '$1::integer')} AND c.reverses_id IS NOT NULL ORDER BY c.id`;

interface EntryRow {
  readonly id: number;
  readonly reversal_id: number;
  readonly is_undone: boolean;
}

/** $1 entries, $2 user, $3 today, $4 notes */
const INSERT_REINSTATEMENTS = `
  INSERT INTO contribution (person_id, amount, currency, fund_id, contribution_type_id, reinstates_id, given_at, day,
    bundle_id, source, notes, giver_first, giver_last, giver_email, giver_phone, giver_address, giver_zip, created_by)
  SELECT gift.person_id, -entry.amount, gift.currency, entry.fund_id, gift.contribution_type_id, entry.id, gift.given_at,
    gift.day, open_bundle(bundle.bundle_type_id, $2, $3), gift.source, $4, gift.giver_first, gift.giver_last,
    gift.giver_email, gift.giver_phone, gift.giver_address, gift.giver_zip, $2
  FROM contribution entry
    JOIN contribution gift ON gift.id = entry.reverses_id
    JOIN bundle ON bundle.id = gift.bundle_id
  WHERE entry.id = ANY ($1::integer[])
  ORDER BY entry.id
  RETURNING id, person_id`;

/** Undoes a reversal by new gifts of the same payment, for example after a dispute was won. */
@Injectable()
export class ReinstateContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly idempotency: Idempotency,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds a gift for each entry of the reversal, on the day of the original gift. Each reversal is undone at most once.
   * @throws ContributionNotFoundError, NotReinstatableError, and the errors of {@link Idempotency.once}.
   */
  async reinstate(command: ReinstateContributionCommand): Promise<Outcome<ReinstatedContribution>> {
    const { user, key, sent } = command;
    const call = { userId: user.userId, operation: 'ReinstateContribution', key, sent } as const;
    return this.transactions.run((tx) =>
      this.idempotency.once(tx, call, async () => ({ answer: await this.reinstateIn(tx, command), replayed: false })),
    );
  }

  private async reinstateIn(
    tx: EntityManager,
    { contributionId, notes, user }: ReinstateContributionCommand,
  ): Promise<ReinstatedContribution> {
    const payment = await lockPayment(tx, contributionId);
    await lockGifts(tx, payment);
    const entries = await sqlRows<EntryRow>(tx, SELECT_ENTRIES, [payment.paymentId]);
    const entryIds = entriesToUndo(contributionId, entries);
    const values = [entryIds, user.userId, churchToday(this.clock.now(), this.church.timeZone), notes];
    const added = await sqlRows<{ id: number; person_id: number }>(tx, INSERT_REINSTATEMENTS, values);
    const contributionIds = added.map(({ id }) => id);
    await this.audit.record(tx, {
      action: REVERSAL_ACTIONS.reinstate,
      subject: `contribution ${payment.paymentId}`,
      details: { reversingContributionIds: entryIds, contributionIds },
      by: actorOf(user),
    });
    return { peopleId: added[0]?.person_id ?? 0, contributionIds };
  }
}

/** @throws NotReinstatableError if there is no such reversal, if it is undone already, or if several may be meant. */
function entriesToUndo(contributionId: number, entries: readonly EntryRow[]): number[] {
  const open = entries.filter(({ is_undone }) => !is_undone);
  const [reversal, ...others] = [...new Set(open.map(({ reversal_id: id }) => id))];
  const named = entries.find(({ id }) => id === contributionId)?.reversal_id;
  if (named === undefined && reversal !== undefined && others.length > 0)
    throw new NotReinstatableError(contributionId, [reversal, ...others]);
  const undone = open.filter(({ reversal_id: id }) => id === (named ?? reversal));
  if (undone.length === 0) throw new NotReinstatableError(contributionId);
  return undone.map(({ id }) => id);
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import type { Caller } from '../../auth/index.js';
import { Church } from '../../config/index.js';
import { DatabaseClock, prepared, sqlRow, sqlRows, TransactionalEvents, Transactions } from '../../database/index.js';
import { Idempotency, type Outcome, type SentRequest } from '../../idempotency/index.js';
import { ContributionNotReversibleError } from './errors.js';
import { ContributionReversed } from '../events/index.js';
import { alreadyReversed, GiftMetrics } from '../gifts/index.js';
import { closeReviewsOfReversed } from '../reviews/index.js';
import { ContributionNotFoundError, RECORDED, REVERSED, REVERSED_TYPE } from '../ledger/index.js';
import { churchToday } from '../../values/index.js';
import { REVERSAL_ACTIONS } from './audit-actions.js';

/** A gift to reverse. */
export interface ReverseContributionCommand {
  readonly contributionId: number;
  /** The source in the path. */
  readonly source: string;
  /** The user who makes the call. */
  readonly user: Pick<Caller, 'userId' | 'username' | 'token'>;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** A reversed gift. */
export interface ReversedContribution {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly source: string;
}

interface GiftRow {
  person_id: number;
  first_name: string;
  last_name: string;
  amount: string;
  currency: string;
  contribution_type_id: number;
  day: string;
  fund_id: number;
  fund_name: string;
  bundle_type_id: number;
  status: number;
  reverses_id: number | null;
}

interface ReversingRow {
  id: number;
  created_at: Date;
}

/** Reverses a gift in one transaction: its status, a reversing entry, the event, and the notice to Finance. */
@Injectable()
export class ReverseContribution {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly events: TransactionalEvents,
    private readonly idempotency: Idempotency,
    private readonly metrics: GiftMetrics,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Reverses a gift. If it throws, nothing is stored.
   * @throws ContributionNotFoundError, ContributionAlreadyReversedError, ContributionNotReversibleError, and the errors
   * of {@link Idempotency.once}.
   */
  async reverse(command: ReverseContributionCommand): Promise<Outcome<ReversedContribution>> {
    const { user, key, sent } = command;
    const call = { userId: user.userId, operation: 'ReverseContribution', key, sent } as const;
    let gift: GiftRow | undefined;
    const outcome = await this.transactions.run((tx) =>
      this.idempotency.once(tx, call, async () => {
        gift = await this.reverseIn(tx, command);
        const { contributionId, source } = command;
        return { answer: { contributionId, peopleId: gift.person_id, source }, replayed: false };
      }),
    );
    // Counted after the commit. A replayed answer has reversed nothing.
    if (gift !== undefined && !outcome.replayed) this.metrics.reversed(gift);
    return outcome;
  }

  /** @returns the gift before the reversal. */
  private async reverseIn(tx: EntityManager, command: ReverseContributionCommand): Promise<GiftRow> {
    const { contributionId } = command;
    const by = command.user.username;
    const gift = await this.lockGift(tx, contributionId);
    const entry = await this.addReversingEntry(tx, command, gift);
    const { token } = command.user;
    await this.audit.record(tx, {
      action: REVERSAL_ACTIONS.reverse,
      subject: `contribution ${contributionId}`,
      details: { reversingContributionId: entry.id, ...(token !== undefined && { token: token.id }) },
      by,
    });
    await closeReviewsOfReversed(tx, this.audit, { contributionId, by });
    await this.events.publish(reversedEvent(command, gift, entry), tx);
    return gift;
  }

  /**
   * Locks the gift. Of several concurrent reversals, one continues; the others wait here and then find it reversed. The
   * person is locked before the gift, as by a merge, to avoid deadlocks.
   */
  private async lockGift(tx: EntityManager, contributionId: number): Promise<GiftRow> {
    await sqlRows(tx, LOCK_PERSON, [contributionId]);
    const gift = await sqlRow<GiftRow>(tx, SELECT_GIFT, [contributionId]);
    if (gift === undefined) throw new ContributionNotFoundError(contributionId);
    if (gift.reverses_id !== null) {
      throw new ContributionNotReversibleError({ contributionId, reversesId: gift.reverses_id });
    }
    if (gift.status === REVERSED) throw await alreadyReversed(tx, contributionId, this.church.timeZone);
    return gift;
  }

  private async addReversingEntry(
    tx: EntityManager,
    { contributionId, source, user }: ReverseContributionCommand,
    gift: GiftRow,
  ): Promise<ReversingRow> {
    const now = this.clock.now();
    const day = churchToday(now, this.church.timeZone);
    await sqlRows(tx, MARK_REVERSED, [contributionId]);
    const values = [contributionId, now, day, source, user.userId, gift.bundle_type_id];
    const entry = await sqlRow<ReversingRow>(tx, INSERT_REVERSING_ENTRY, values);
    if (entry === undefined) throw new Error('INSERT … RETURNING returned no row');
    return entry;
  }
}

const LOCK_PERSON = prepared(`
  SELECT 1 FROM person WHERE id = (SELECT person_id FROM contribution WHERE id = $1) FOR KEY SHARE`);

/** Locks the gift before the join: if it moved to another person during the wait, the join would find no row. */
const SELECT_GIFT = prepared(`
  SELECT c.person_id, p.first_name, p.last_name, c.amount, c.currency, c.contribution_type_id, c.day::text AS day, c.fund_id,
    f.name AS fund_name, b.bundle_type_id, c.status, c.reverses_id
  FROM (SELECT * FROM contribution WHERE id = $1 FOR UPDATE) c
    JOIN person p ON p.id = c.person_id
    JOIN fund f ON f.id = c.fund_id
    JOIN bundle b ON b.id = c.bundle_id`);

const MARK_REVERSED = prepared(`UPDATE contribution SET status = ${REVERSED} WHERE id = $1`);

/** The amount is negated in SQL, so that no float ever holds an amount. */
const INSERT_REVERSING_ENTRY = prepared(`
  INSERT INTO contribution (person_id, amount, currency, fund_id, contribution_type_id, status, reverses_id,
    given_at, day, bundle_id, source, created_by)
  SELECT gift.person_id, -gift.amount, gift.currency, gift.fund_id, ${REVERSED_TYPE}, ${RECORDED}, gift.id, $2, $3,
    open_bundle($6, $5, $3), $4, $5
  FROM contribution gift
  WHERE gift.id = $1
  RETURNING id, created_at`);

function reversedEvent(command: ReverseContributionCommand, gift: GiftRow, entry: ReversingRow): ContributionReversed {
  return new ContributionReversed({
    eventId: randomUUID(),
    contributionId: command.contributionId,
    reversingContributionId: entry.id,
    giver: { peopleId: gift.person_id, first: gift.first_name, last: gift.last_name },
    amount: gift.amount,
    currency: gift.currency,
    fund: { id: gift.fund_id, name: gift.fund_name },
    day: gift.day,
    source: command.source,
    username: command.user.username,
    reversedAt: entry.created_at.toISOString(),
  });
}

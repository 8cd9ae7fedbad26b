import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail, nameOf } from '../../../audit/index.js';
import { sqlRows, Transactions } from '../../../database/index.js';
import { FindGiver, survivingPersonId } from '../../../people/index.js';
import type { ReassignedContribution } from './reassigned-contribution.js';
import { reviewAgain } from '../reasons/review-reasons.js';
import { ContributionNotReassignableError, GiverChangedError } from '../errors.js';
import { ContributionNotFoundError, isGift, isOfPayment } from '../../ledger/index.js';
import { REASSIGNING_ACTIONS } from '../audit-actions.js';

/** A payment, and the person that it belongs to. */
export interface ReassignContributionCommand {
  /** Any entry of the payment, except a reversing entry. */
  readonly contributionId: number;
  readonly peopleId: number;
  /** The person that the caller has seen; undefined: any. */
  readonly fromPeopleId?: number | undefined;
  /** User name, or "command line". */
  readonly by: Actor;
}

/** Moves a payment from the wrong person to the right one. */
@Injectable()
export class ReassignContribution {
  constructor(
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Moves all entries of the payment to the person, or to the person's survivor. Records who did so, when and from whom,
   * and decides again whether its gifts need a review. Amounts, funds, days and bundles do not change. It has no effect if
   * the payment already belongs to that person.
   * @throws ContributionNotFoundError, ContributionNotReassignableError, PersonNotFoundError, GiverChangedError
   */
  async reassign({
    contributionId,
    peopleId,
    fromPeopleId,
    by,
  }: ReassignContributionCommand): Promise<ReassignedContribution> {
    return this.transactions.run(async (tx) => {
      // Both persons are locked before payment and gifts, lower id first, as by a merge, to avoid deadlocks.
      await sqlRows(tx, LOCK_PERSONS, [contributionId, peopleId]);
      const { peopleId: to, doubts } = await this.findGiver.survivingPerson(tx, peopleId);
      const { from, gifts } = await lockPayment(tx, contributionId);
      const done = { contributionId, fromPeopleId: from, toPeopleId: to };
      if (from === to) return done;
      // The survivor, if that person was merged meanwhile.
      if (fromPeopleId !== undefined && (await survivingPersonId(tx, fromPeopleId)) !== from) {
        throw new GiverChangedError({ contributionId, peopleId: from });
      }
      await sqlRows(tx, MOVE_PAYMENT, [contributionId, to]);
      await sqlRows(tx, INSERT_REASSIGNMENTS, [gifts, from, to, nameOf(by)]);
      await this.audit.record(tx, {
        action: REASSIGNING_ACTIONS.reassign,
        subject: `contribution ${contributionId}`,
        details: { from, to, ...(gifts.length > 1 && { gifts }) },
        by,
      });
      await reviewAgain(tx, { contributionIds: gifts, doubts, by: nameOf(by) });
      return done;
    });
  }
}

/**
 * Locks the payment, so that nothing is added to it meanwhile, and then its entries by id.
 * @returns its gifts by id, and the person to whom they belong.
 */
async function lockPayment(
  tx: EntityManager,
  contributionId: number,
): Promise<{ readonly from: number; readonly gifts: readonly number[] }> {
  await sqlRows(tx, LOCK_PAYMENT, [contributionId]);
  const entries = await sqlRows<EntryRow>(tx, LOCK_ENTRIES, [contributionId]);
  const named = entries.find(({ id }) => id === contributionId);
  if (named === undefined) throw new ContributionNotFoundError(contributionId);
  if (named.reverses_id !== null) {
    throw new ContributionNotReassignableError({ contributionId, reversesId: named.reverses_id });
  }
  return { from: named.person_id, gifts: entries.filter(({ is_gift }) => is_gift).map(({ id }) => id) };
}

interface EntryRow {
  readonly id: number;
  readonly person_id: number;
  readonly reverses_id: number | null;
  readonly is_gift: boolean;
}

const PAYMENT_ID = '(SELECT payment_id FROM contribution WHERE id = $1)';

const LOCK_PERSONS = `
  SELECT FROM person WHERE id IN ($2, (SELECT person_id FROM contribution WHERE id = $1)) ORDER BY id FOR KEY SHARE`;

const LOCK_PAYMENT = `SELECT FROM payment WHERE id = ${PAYMENT_ID} FOR NO KEY UPDATE`;

const LOCK_ENTRIES = `
  SELECT c.id, c.person_id, c.reverses_id, ${isGift('c')} AS is_gift
  FROM contribution c WHERE ${isOfPayment('c', PAYMENT_ID)} ORDER BY c.id FOR UPDATE`;

const MOVE_PAYMENT = `UPDATE contribution c SET person_id = $2 WHERE ${isOfPayment('c', PAYMENT_ID)}`;

/** One for each gift: entries that are no gifts share the history of theirs. */
const INSERT_REASSIGNMENTS = `
  INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by)
  SELECT id, $2, $3, $4 FROM unnest($1::integer[]) AS id ORDER BY id`;

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { InTransactionOf, sqlRows } from '../../database/index.js';
import { PersonMerged } from '../../people/events/index.js';
import { isGift } from '../ledger/index.js';
import { closeReviewsOfMerged } from '../reviews/index.js';

/**
 * Locks the gifts by id, like a reassignment, to avoid deadlocks. The history of a gift shows a merge like a
 * reassignment. Entries that are no gifts share the history of theirs.
 */
const MOVE_GIFTS = `
  WITH own AS (
    SELECT id FROM contribution WHERE person_id = $1 ORDER BY id FOR UPDATE
  ), moved AS (
    UPDATE contribution c SET person_id = $2 FROM own WHERE c.id = own.id RETURNING c.id, c.reverses_id, c.moves_id
  )
  INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by, through_merge)
  SELECT id, $1, $2, $3, true FROM moved WHERE ${isGift('moved')} ORDER BY id`;

/**
 * Moves the entries of a merged person to the survivor, and closes the reviews that the merge
 * has answered. Amounts, funds, days and bundles do not change.
 */
@Injectable()
export class MoveGiftsListener {
  constructor(private readonly audit: AuditTrail) {}

  @InTransactionOf(PersonMerged)
  async onMerged({ fromPeopleId, intoPeopleId, by }: PersonMerged, tx: EntityManager): Promise<void> {
    await sqlRows(tx, MOVE_GIFTS, [fromPeopleId, intoPeopleId, by]);
    await closeReviewsOfMerged(tx, this.audit, { peopleId: intoPeopleId, by });
  }
}

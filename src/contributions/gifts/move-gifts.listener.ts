import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { InTransactionOf, sqlRows } from '../../database/index.js';
import { PersonMerged } from '../../people/events/index.js';
import { closeReviewsOfMerged } from '../reviews/index.js';

/** The history of a gift shows a merge like a reassignment. A reversing entry shares the history of its gift. */
const MOVE_GIFTS = `
  WITH moved AS (
    UPDATE contribution SET person_id = $2 WHERE person_id = $1 RETURNING id, reverses_id
  )
  INSERT INTO reassignment (contribution_id, from_person_id, to_person_id, reassigned_by, through_merge)
  SELECT id, $1, $2, $3, true FROM moved WHERE reverses_id IS NULL ORDER BY id`;

/**
 * Moves the gifts of a merged person to the survivor, including reversing entries, and closes the reviews that the merge
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

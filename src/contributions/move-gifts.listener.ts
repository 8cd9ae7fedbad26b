import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import { IN_TRANSACTION, sqlRows } from '../database/index.js';
import { PersonMerged } from '../people/events/index.js';

/** Lets the gifts of a merged person follow it, reversing entries included. Amounts, funds, days and bundles stay. */
@Injectable()
export class MoveGiftsListener {
  @OnEvent(PersonMerged.eventName, IN_TRANSACTION)
  async onMerged({ fromPeopleId, intoPeopleId }: PersonMerged, tx: EntityManager): Promise<void> {
    await sqlRows(tx, 'UPDATE contribution SET person_id = $2 WHERE person_id = $1', [fromPeopleId, intoPeopleId]);
  }
}

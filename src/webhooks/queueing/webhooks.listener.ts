import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  BundleClosed,
  ContributionRecorded,
  ContributionReversed,
  DepositReconciled,
} from '../../contributions/events/index.js';
import { InTransactionOfWanted } from '../../database/index.js';
import { PersonMerged } from '../../people/events/index.js';
import { queueEvent } from './queue-event.js';

/**
 * Queues events for their endpoints, in the transactions in which they happen. The messages have ids only: their receivers read
 * the rest over the API, with the rights that they have there.
 */
@Injectable()
export class WebhooksListener {
  @InTransactionOfWanted(ContributionRecorded)
  async onRecorded({ contributionId, giver, username }: ContributionRecorded, tx: EntityManager): Promise<void> {
    const data = { contributionId, peopleId: giver.peopleId };
    await queueEvent(tx, { type: 'contribution.recorded', data, username });
  }

  @InTransactionOfWanted(ContributionReversed)
  async onReversed(
    { contributionId, entries, giver, addedBy }: ContributionReversed,
    tx: EntityManager,
  ): Promise<void> {
    const reversed = entries.map((entry) => ({
      contributionId: entry.contributionId,
      reversingContributionId: entry.reversingContributionId,
    }));
    const data = { contributionId, peopleId: giver.peopleId, entries: reversed };
    await queueEvent(tx, { type: 'contribution.reversed', data, username: addedBy });
  }

  @InTransactionOfWanted(PersonMerged)
  async onMerged({ fromPeopleId, intoPeopleId }: PersonMerged, tx: EntityManager): Promise<void> {
    await queueEvent(tx, { type: 'person.merged', data: { fromPeopleId, intoPeopleId }, username: null });
  }

  @InTransactionOfWanted(BundleClosed)
  async onClosed({ bundleId, username }: BundleClosed, tx: EntityManager): Promise<void> {
    await queueEvent(tx, { type: 'bundle.closed', data: { bundleId }, username });
  }

  @InTransactionOfWanted(DepositReconciled)
  async onReconciled({ id, username }: DepositReconciled, tx: EntityManager): Promise<void> {
    await queueEvent(tx, { type: 'deposit.reconciled', data: { id }, username });
  }
}

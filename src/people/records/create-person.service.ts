import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../audit/index.js';
import { actorOf, type Caller } from '../../auth/index.js';
import { Church } from '../../config/index.js';
import { Transactions } from '../../database/index.js';
import { Idempotency, type Outcome, type SentRequest } from '../../idempotency/index.js';
import { foldUsable } from '../contacts/add-confirmed-contact.js';
import { SimilarPersonsError } from '../errors.js';
import { FindGiver } from '../matching/find-giver.service.js';
import type { PersonView } from '../person-view.js';
import { PersonRecords } from '../person-records.service.js';
import { PERSON_ACTIONS } from '../audit-actions.js';
import type { PersonDetails } from './person-details.js';

/** A person to add. */
export interface CreatePersonCommand extends PersonDetails {
  readonly first: string;
  readonly last: string;
  /** Whether to add the person although others are similar. */
  readonly confirm: boolean;
  readonly user: Pick<Caller, 'userId' | 'username' | 'session'>;
  /** The caller's Idempotency-Key, if it sent one. */
  readonly key: string | undefined;
  readonly sent: SentRequest;
}

/** A person who was added. */
export interface CreatedPerson {
  readonly peopleId: number;
}

/** Others may be the same person. Ends the transaction, before they are read. */
class PersonsFound extends Error {
  constructor(readonly ids: readonly number[]) {
    super('Similar persons were found');
  }
}

/** Adds a person who has not given yet, or not through a processor. */
@Injectable()
export class CreatePerson {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly idempotency: Idempotency,
    private readonly persons: PersonRecords,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds the person, unless somebody matches these details or is similar and the command does not confirm that.
   * @throws SimilarPersonsError with those persons; their reading is recorded.
   * @throws the errors of {@link Idempotency.once}, and InvalidRequestError for an invalid detail.
   */
  async create(command: CreatePersonCommand): Promise<Outcome<CreatedPerson>> {
    const { user, key, sent } = command;
    const call = { userId: user.userId, operation: 'CreatePerson', key, sent } as const;
    try {
      return await this.transactions.run((tx) =>
        this.idempotency.once(tx, call, async () => ({ answer: await this.createIn(tx, command), replayed: false })),
      );
    } catch (error) {
      if (!(error instanceof PersonsFound)) throw error;
      throw new SimilarPersonsError(await this.readAll(error.ids, actorOf(user)));
    }
  }

  private async createIn(tx: EntityManager, command: CreatePersonCommand): Promise<CreatedPerson> {
    const { first, last, email = '', phone = '', address = null, zip = null, confirm, user } = command;
    const { country } = this.church;
    if (email !== '') foldUsable({ kind: 'email', value: email, country, field: 'Email' });
    if (phone !== '') foldUsable({ kind: 'phone', value: phone, country, field: 'Phone' });
    const giver = { first, last, email, phone, address, zip };
    const similar = await this.findGiver.personsLike(tx, giver);
    if (similar.length > 0 && !confirm) throw new PersonsFound(similar);
    const peopleId = await this.findGiver.createPerson(tx, giver);
    const { nickname = null, formerLast = null, deceased = false } = command;
    await this.persons.complete(tx, peopleId, { nickname, formerLast, deceased });
    const subject = `person ${peopleId}`;
    await this.audit.record(tx, { action: PERSON_ACTIONS.create, subject, by: actorOf(user) });
    return { peopleId };
  }

  private async readAll(ids: readonly number[], by: Actor): Promise<PersonView[]> {
    const persons: PersonView[] = [];
    for (const id of ids) persons.push(await this.persons.show(id));
    await this.audit.recordReading({ action: PERSON_ACTIONS.read, subject: 'people', peopleIds: ids, by });
    return persons;
  }
}

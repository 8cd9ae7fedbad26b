import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { FindGiver } from '../matching/find-giver.service.js';
import { PersonRecords } from '../person-records.service.js';
import type { PersonView } from '../person-view.js';

/** Finds records that may be of the same person. */
@Injectable()
export class SimilarPersons {
  constructor(
    private readonly transactions: Transactions,
    private readonly findGiver: FindGiver,
    private readonly persons: PersonRecords,
  ) {}

  /**
   * Others who match the details of this person or are similar, 10 at most. It does not record the reading, which is for the
   * caller to do.
   */
  async of({ peopleId, first, last, email, phone, address, zip }: PersonView): Promise<PersonView[]> {
    const giver = { first, last, email, phone, address, zip };
    const ids = await this.transactions.run((tx) => this.findGiver.personsLike(tx, giver));
    const others: PersonView[] = [];
    for (const id of ids) if (id !== peopleId) others.push(await this.persons.show(id));
    return others;
  }
}

import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/index.js';
import { PersonRecords } from '../../people/index.js';
import { GiverNotFoundError } from '../errors.js';
import { display, JOIN_GIFT, SUMS } from '../totals.js';
import type { GiverView, YearOfGiving } from './giver-view.js';

/** What Finance sees of a giver. */
@Injectable()
export class Giving {
  constructor(
    private readonly transactions: Transactions,
    private readonly persons: PersonRecords,
  ) {}

  /** @throws GiverNotFoundError */
  async of(peopleId: number): Promise<GiverView> {
    const person = await this.persons.find(peopleId);
    if (person === undefined) throw new GiverNotFoundError(peopleId);
    return { ...person, giving: (await this.transactions.query<YearOfGiving>(BY_YEAR, [peopleId])).map(display) };
  }
}

const BY_YEAR = `
  SELECT extract(year FROM c.day)::integer AS year, ${SUMS}
  FROM contribution c ${JOIN_GIFT}
  WHERE c.person_id = $1
  GROUP BY extract(year FROM c.day), c.currency ORDER BY year DESC, c.currency`;

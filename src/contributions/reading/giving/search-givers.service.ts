import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { PERSON_ACTIONS, type PersonPosition, SearchPeople } from '../../../people/index.js';
import { displayTotals, isGift, JOIN_GIFT, SUMS } from '../../ledger/index.js';
import type { GivingOverYears, PeoplePage } from './people-page.js';

/** The requested page. */
interface PageRequest {
  readonly after?: PersonPosition | undefined;
  readonly limit: number;
}

type GivingRow = GivingOverYears & { readonly peopleId: number };

/** Moves are left out, because nobody gave anything. */
const BY_PERSON = `
  SELECT c.person_id AS "peopleId", ${SUMS}, 
    (min(extract(year FROM c.day)) FILTER (WHERE ${isGift('c')}))::integer AS "firstYear",
    (max(extract(year FROM c.day)) FILTER (WHERE ${isGift('c')}))::integer AS "lastYear"
  FROM contribution c ${JOIN_GIFT}
  WHERE c.person_id = ANY ($1::integer[]) AND c.moves_id IS NULL
  GROUP BY c.person_id, c.currency ORDER BY c.person_id, c.currency`;

/** Finds people, with what they gave. */
@Injectable()
export class SearchGivers {
  constructor(
    private readonly people: SearchPeople,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The reading is recorded. @param by the API user, or the user on a page. */
  async search(text: string | undefined, request: PageRequest, by: Actor): Promise<PeoplePage> {
    const found = await this.find(text, request);
    const peopleIds = found.people.map(({ peopleId }) => peopleId);
    await this.audit.recordReading({ action: PERSON_ACTIONS.search, subject: 'people', peopleIds, by });
    return found;
  }

  /** Like {@link search}. It does not record the reading, which is for the caller to do. */
  async find(text: string | undefined, request: PageRequest): Promise<PeoplePage> {
    const { people, last, more, complete } = await this.people.find(text, request);
    const peopleIds = people.map(({ peopleId }) => peopleId);
    const rows = await this.transactions.query<GivingRow>(BY_PERSON, [peopleIds]);
    const totals = rows.map(({ peopleId, ...own }) => [peopleId, displayTotals(own)] as const);
    return {
      people: people.map((person) => ({
        ...person,
        giving: totals.filter(([peopleId]) => peopleId === person.peopleId).map(([, own]) => own),
      })),
      next: more && last !== undefined ? `${last.rank}.${last.id}` : null,
      more,
      complete,
    };
  }
}

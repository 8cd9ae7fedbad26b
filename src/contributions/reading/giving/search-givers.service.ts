import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { type RowCount, Transactions } from '../../../database/index.js';
import { PERSON_ACTIONS, type PersonPosition, SearchPeople, type SimilarlyNamed } from '../../../people/index.js';
import { displayTotals, isGift, JOIN_GIFT, SUMS } from '../../ledger/index.js';
import type { GivingOverYears, PeoplePage } from './people-page.js';

/** The requested page. */
interface PageRequest {
  readonly after?: PersonPosition | undefined;
  readonly limit: number;
}

/** What a page shows of a search, besides the people who were found. */
export interface PeopleOnPage extends PeoplePage {
  /** How many people the search finds; undefined if they were not counted. */
  readonly count: RowCount | undefined;
  /** People with similar names, if nobody is found. */
  readonly similar: readonly SimilarlyNamed[];
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

  /** As {@link search}, for a page: with how many people there are, and whom the search may mean if it finds nobody. */
  async searchForPage(text: string | undefined, request: PageRequest, by: Actor): Promise<PeopleOnPage> {
    const found = await this.findForPage(text, request);
    const peopleIds = [...found.people, ...found.similar].map(({ peopleId }) => peopleId);
    await this.audit.recordReading({ action: PERSON_ACTIONS.search, subject: 'people', peopleIds, by });
    return found;
  }

  /** Like {@link searchForPage}. It does not record the reading, which is for the caller to do. */
  async findForPage(text: string | undefined, request: PageRequest): Promise<PeopleOnPage> {
    const found = await this.find(text, request);
    const { people, next, more, complete } = found;
    const isFirst = request.after === undefined;
    return {
      ...{ people, next, more, complete },
      count: more || !isFirst ? await this.people.count(text) : { rows: people.length, more },
      similar: people.length === 0 && isFirst && text !== undefined ? await this.people.similarlyNamed(text) : [],
    };
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

import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { Transactions } from '../../../database/index.js';
import { type ContactView, foldContact, MergePersons, type PersonView } from '../../../people/index.js';
import { displayTotals, isGift, JOIN_GIFT, PLEDGE_TYPE, SUMS, type Totals } from '../../ledger/index.js';
import type { MergePreview, PersonToMerge } from './merge-preview.js';

const SELECT_TOTALS = `
  SELECT ${SUMS} FROM contribution c ${JOIN_GIFT} WHERE c.person_id = $1 GROUP BY c.currency ORDER BY c.currency`;

const SELECT_COUNTS = `
  SELECT (count(*) FILTER (WHERE ${isGift('c')} AND c.contribution_type_id <> ${PLEDGE_TYPE}))::integer AS gifts,
    (count(*) FILTER (WHERE ${isGift('c')} AND c.contribution_type_id = ${PLEDGE_TYPE}))::integer AS pledges,
    (count(*) FILTER (WHERE r.id IS NOT NULL))::integer AS "openReviews"
  FROM contribution c LEFT JOIN review r ON r.contribution_id = c.id AND r.accepted_at IS NULL
  WHERE c.person_id = $1`;

type Counts = Pick<PersonToMerge, 'gifts' | 'pledges' | 'openReviews'>;

/** Shows what a merge of two persons moves. */
@Injectable()
export class PreviewMerge {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly mergePersons: MergePersons,
  ) {}

  /**
   * Both persons with their gifts, contacts and open reviews. The reading is recorded.
   * @param by the API user. @throws the errors of {@link MergePersons.readBoth}.
   */
  async of(peopleIds: { readonly from: number; readonly into: number }, by: Actor): Promise<MergePreview> {
    const [from, into] = await this.mergePersons.readBoth(peopleIds, by);
    return {
      from: await this.toMerge(from),
      into: await this.toMerge(into),
      newContacts: this.newContacts(from, into),
    };
  }

  private async toMerge(person: PersonView): Promise<PersonToMerge> {
    const totals = await this.transactions.query<Totals>(SELECT_TOTALS, [person.peopleId]);
    const [counts] = await this.transactions.query<Counts>(SELECT_COUNTS, [person.peopleId]);
    if (counts === undefined) throw new Error('A SELECT of aggregates returned no row');
    return { person, ...counts, totals: totals.map(displayTotals) };
  }

  /** A contact of both is kept once. One that matching cannot use is kept as it is. */
  private newContacts(from: PersonView, into: PersonView): ContactView[] {
    const own = new Set(into.contacts.map((contact) => this.folded(contact)));
    return from.contacts.filter((contact) => {
      const folded = this.folded(contact);
      return folded === null || !own.has(folded);
    });
  }

  private folded({ kind, value }: ContactView): string | null {
    return foldContact(kind, value, this.church.country);
  }
}

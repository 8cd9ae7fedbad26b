import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import { actorOf, type Caller, visibleGiftsOf } from '../../../auth/index.js';
import { DatabaseClock, sqlRows, Transactions } from '../../../database/index.js';
import { survivingPersonId } from '../../../people/index.js';
import { BooksState } from './books-state.js';
import { type ContributionFilter, pageStatement, type VisibleFilter } from './contribution-filter.js';
import type { ContributionPage } from './contribution-page.js';
import { type ContributionRow, viewFor } from '../contribution-rows.js';
import { type PagePosition, positionText } from './page-position.js';
import { READING_ACTIONS } from '../audit-actions.js';

/** The position and the size of a page. */
export interface PageRequest {
  /** The end of the previous page; undefined for the first page. */
  readonly after?: PagePosition | undefined;
  readonly limit: number;
}

/**
 * Lists contributions page by page, by id or by change. No contribution is repeated or missed while gifts are added: a
 * page ends before the first number that a running transaction may still use (ADR 18).
 */
@Injectable()
export class ListContributions {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * A page of the contributions that this caller may see: Finance sees all, others see the gifts they added and their
   * reversing entries. The reading is recorded for Finance.
   * @throws UnknownPositionError
   */
  async pageFor(caller: Caller, filter: ContributionFilter, request: PageRequest): Promise<ContributionPage> {
    const addedBy = visibleGiftsOf(caller);
    const page = await this.read({ ...filter, addedBy }, request);
    if (addedBy === undefined) {
      await this.audit.recordReading({
        action: READING_ACTIONS.list,
        subject: filter.bundleId === undefined ? 'contributions' : `bundle ${filter.bundleId}`,
        peopleIds: page.contributions.map(({ peopleId }) => peopleId),
        details: { contributions: page.contributions.length },
        by: actorOf(caller),
      });
    }
    return page;
  }

  private async read(filter: VisibleFilter, { after, limit }: PageRequest): Promise<ContributionPage> {
    return this.transactions.run(async (tx) => {
      const books = await BooksState.read(tx, filter.addedBy);
      const order = after?.order ?? (filter.updatedSince === undefined ? 'id' : 'change');
      if (after !== undefined) books.assertKnown(after);
      const peopleId = filter.peopleId && (await survivingPersonId(tx, filter.peopleId));
      const seen = { ...filter, peopleId };
      const stretch = { order, after: after?.number, upTo: books.settled(order), limit: limit + 1 };
      const [statement, values] = pageStatement(seen, stretch, this.clock.now());
      const rows = await sqlRows<ContributionRow>(tx, statement, values);
      const shown = rows.slice(0, limit);
      const more = rows.length > limit;
      const last = numberOf(shown.at(-1), order);
      const number = more ? last : Math.max(last, books.end(order));
      const contributions = shown.map((row) => viewFor(row, filter.addedBy));
      return { contributions, next: positionText(books.position(order, number)), more };
    });
  }
}

function numberOf(row: ContributionRow | undefined, order: PagePosition['order']): number {
  return (order === 'id' ? row?.id : row?.change_no) ?? 0;
}

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/index.js';
import { DatabaseClock, sqlRow, sqlRows, Transactions } from '../../database/index.js';
import { standingPersonId } from '../../people/index.js';
import { UnknownPositionError } from '../errors.js';
import { type ContributionFilter, pageStatement } from './contribution-filter.js';
import type { ContributionPage } from './contribution-page.js';
import { type ContributionRow, view } from './contribution-rows.js';
import { type PagePosition, positionText } from './page-position.js';
import { seesGiftsOf } from './read-contribution.service.js';

/** Where in the list, and how much of it. */
export interface PageRequest {
  /** Up to where it was read; undefined for the beginning. */
  readonly after?: PagePosition | undefined;
  readonly limit: number;
}

/**
 * Lists contributions page by page, by id or by change. Nothing is repeated and nothing missed while gifts come in: a
 * page ends before the first number that a transaction under way may still use (ADR 18).
 */
@Injectable()
export class ListContributions {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * The page that this caller may see: Finance sees all, others the gifts they added and their reversals.
   * @throws UnknownPositionError
   */
  async pageFor(caller: Caller, filter: ContributionFilter, { after, limit }: PageRequest): Promise<ContributionPage> {
    return this.transactions.run(async (tx) => {
      // The first statement, since what it calls settled is what the ones after it can see.
      const settled = await readSettled(tx);
      const order = after?.order ?? (filter.updatedSince === undefined ? 'id' : 'change');
      const { upTo, last } = settled[order];
      if (after !== undefined && after.number > last) throw new UnknownPositionError();
      const peopleId = filter.peopleId && (await standingPersonId(tx, filter.peopleId));
      const seen = { ...filter, peopleId, addedBy: seesGiftsOf(caller) };
      const stretch = { order, after: after?.number, upTo, limit: limit + 1 };
      const [statement, values] = pageStatement(seen, stretch, this.clock.now());
      const rows = await sqlRows<ContributionRow>(tx, statement, values);
      const shown = rows.slice(0, limit);
      const more = rows.length > limit;
      const number = more ? numberOf(shown.at(-1), order) : Math.max(upTo, after?.number ?? 0);
      return { contributions: shown.map(view), next: positionText({ order, number }), more };
    });
  }
}

/** Numbers of one kind: the last that was given away, and up to where all are settled. */
interface Settled {
  readonly last: number;
  readonly upTo: number;
}

async function readSettled(tx: EntityManager): Promise<Record<PagePosition['order'], Settled>> {
  const row = await sqlRow<Record<'last_id' | 'id' | 'last_change_no' | 'change_no', number>>(
    tx,
    'SELECT last_id, id, last_change_no, change_no FROM settled_contributions()',
  );
  if (row === undefined) throw new Error('settled_contributions() returned no row');
  return {
    id: { last: row.last_id, upTo: row.id },
    change: { last: row.last_change_no, upTo: row.change_no },
  };
}

function numberOf(row: ContributionRow | undefined, order: PagePosition['order']): number {
  return (order === 'id' ? row?.id : row?.change_no) ?? 0;
}

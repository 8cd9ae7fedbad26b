import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { DatabaseClock, type RowCount, sqlRows, Transactions } from '../../../database/index.js';
import { SearchPeople, type SimilarlyNamed, survivingPersonId } from '../../../people/index.js';
import { READING_ACTIONS } from '../audit-actions.js';
import { isNarrow, isNarrowOnAnyDay, isOfFewDays } from '../listing/contribution-filter.js';
import type { FoundGift, GiftPage } from './found-gift-view.js';
import { type FoundGiftRow, foundGiftOf, SELECT_FOUND_GIFTS } from './found-gift-rows.js';
import { daysOf, readIdSpan } from './few-days.js';
import { type AddParameter, type GiftFilter, joinOfPayment, selectedGifts } from './gift-filter.js';
import { type GiftMatch, hasAmount, matchesOfText, matchOfGivers, type WayToMatch } from './gift-matches.js';
import { IndexGifts } from './index-gifts.service.js';
import { searchedGiverAndAmount } from './searched-amount.js';

/** What to search for. */
export interface GiftSearch {
  /** Trimmed and in NFC. Undefined: all gifts of the filter. */
  readonly text: string | undefined;
  readonly filter: GiftFilter;
  /** Only gifts with a lower id: the last one of the previous page. */
  readonly after: number | undefined;
  readonly limit: number;
}

/** What a page shows of a search, besides the gifts that were found. */
export interface GiftsOnPage extends GiftPage {
  /** How many gifts the search finds; undefined if they were not counted. */
  readonly count: RowCount | undefined;
  /** People with similar names, if no gift is found. */
  readonly similar: readonly SimilarlyNamed[];
}

/** The most gifts in a file. More fit into no spreadsheet that somebody reads; the totals and the bundles have all. */
export const EXPORTED_GIFTS = 10_000;

/** Of up to so many persons the ids are read. Others are so many that going through the gifts by id soon finds enough. */
const LISTED_GIVERS = 20_000;

/** SQL for one way to search. */
interface WayToSearch extends Omit<GiftMatch, 'by'> {
  /** Undefined: the filter alone selects the gifts. */
  readonly by?: WayToMatch;
  /** Whether the gifts of each day are searched for by themselves, in the order of the index on days and ids. */
  readonly isEachDay?: boolean;
}

/** How a gift was found; null: by the filter alone. */
interface Match {
  readonly id: number;
  readonly by: WayToMatch | null;
}

/**
 * Finds gifts for Finance, those recorded last first. A text finds a gift by any of its details. Other entries, such as
 * reversals and moves, are part of their gift.
 */
@Injectable()
export class SearchGifts {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditTrail,
    private readonly people: SearchPeople,
    private readonly index: IndexGifts,
  ) {}

  /**
   * The first {@link EXPORTED_GIFTS} gifts, for a file. The reading is recorded, like that of a bundle's export.
   * @param by the API user, or the user on a page.
   */
  async readAll(search: Pick<GiftSearch, 'text' | 'filter'>, by: Actor): Promise<FoundGift[]> {
    await this.index.indexNew();
    const gifts = await this.transactions.run(async (tx) => {
      const found = await this.find(tx, { ...search, after: undefined, limit: EXPORTED_GIFTS });
      const ids = [...found.keys()].sort((one, other) => other - one).slice(0, EXPORTED_GIFTS);
      return readGifts(tx, found, ids);
    });
    const peopleIds = gifts.map(({ giver }) => giver.peopleId);
    const details = { gifts: gifts.length };
    await this.audit.recordReading({ action: READING_ACTIONS.export, subject: 'gifts', peopleIds, details, by });
    return gifts;
  }

  /** The gifts of a person that were recorded last. It does not record the reading, which is for the caller to do. */
  async latestOf(peopleId: number, limit: number): Promise<FoundGift[]> {
    return this.transactions.run(async (tx) => {
      const found = await this.find(tx, { text: undefined, filter: { peopleId }, after: undefined, limit });
      return readGifts(tx, found, [...found.keys()].slice(0, limit));
    });
  }

  /** A page of the gifts. The reading is recorded. @param by the API user. */
  async search(search: GiftSearch, by: Actor): Promise<GiftPage> {
    const page = await this.readPage(search);
    await this.recordSearch(page, [], by);
    return page;
  }

  /** As {@link search}, for a page: with how many gifts there are, and whom the search may mean if it finds none. */
  async searchForPage(search: GiftSearch, by: Actor): Promise<GiftsOnPage> {
    const page = await this.readPage(search);
    const { gifts, next, more, complete } = page;
    const isFirst = search.after === undefined;
    const isNone = gifts.length === 0 && isFirst;
    const similar = isNone && search.text !== undefined ? await this.people.similarlyNamed(search.text) : [];
    await this.recordSearch(page, similar, by);
    const count = more || !isFirst ? await this.count(search) : { rows: gifts.length, more };
    return { gifts, next, more, complete, count, similar };
  }

  private async count(search: GiftSearch): Promise<RowCount | undefined> {
    return this.transactions.countRows(
      async (tx, most) => (await this.find(tx, { ...search, after: undefined, limit: most - 1 })).size,
    );
  }

  private async recordSearch({ gifts }: GiftPage, others: readonly SimilarlyNamed[], by: Actor): Promise<void> {
    await this.audit.recordReading({
      action: READING_ACTIONS.search,
      subject: 'gifts',
      peopleIds: [...gifts.map(({ giver }) => giver), ...others].map(({ peopleId }) => peopleId),
      details: { gifts: gifts.length },
      by,
    });
  }

  private async readPage(search: GiftSearch): Promise<GiftPage> {
    const { complete } = await this.index.indexNew();
    const page = await this.transactions.run(async (tx) => {
      const found = await this.find(tx, search);
      const ids = [...found.keys()].sort((one, other) => other - one);
      const shown = await readGifts(tx, found, ids.slice(0, search.limit));
      return { gifts: shown, more: ids.length > search.limit };
    });
    const last = page.gifts.at(-1)?.contributionId;
    return { ...page, next: page.more && last !== undefined ? String(last) : null, complete };
  }

  /** The gifts of the page and one more, with the ways in which the text matches: all of it, or a giver and an amount. */
  private async find(tx: EntityManager, search: GiftSearch): Promise<Map<number, WayToMatch[]>> {
    const found = await this.findAll(tx, search);
    const both = search.text === undefined ? undefined : searchedGiverAndAmount(search.text, this.church.minorUnits);
    if (both === undefined || search.filter.amount !== undefined) return found;
    const { giver: text, amount } = both;
    const ofGiver = await this.findAll(tx, { ...search, text, filter: { ...search.filter, paidAmount: amount } });
    const matches = (gifts: Map<number, WayToMatch[]>): Match[] =>
      [...gifts].flatMap(([id, ways]) => ways.map((by) => ({ id, by })));
    const amounts = [...ofGiver.keys()].map((id) => ({ id, by: 'amount' as const }));
    return byGift([...matches(found), ...matches(ofGiver), ...amounts], search.limit + 1);
  }

  private async findAll(tx: EntityManager, search: GiftSearch): Promise<Map<number, WayToMatch[]>> {
    const { peopleId } = search.filter;
    const filter = { ...search.filter, peopleId: peopleId && (await survivingPersonId(tx, peopleId)) };
    const values: unknown[] = [];
    const add: AddParameter = (value) => `$${values.push(value)}`;
    const matches = await this.matchesOf(tx, search.text, filter, add);
    const position = search.after === undefined ? undefined : add(search.after);
    const isOrdered = matches.some(({ id, isEachDay }) => id !== undefined && isEachDay !== true);
    const span = isOrdered && isOfFewDays(filter, this.clock.now()) ? await readIdSpan(tx, filter) : undefined;
    const ids = span && `BETWEEN ${add(span.first)} AND ${add(span.last)}`;
    const limit = add(search.limit + 1);
    const selected = selectedGifts(filter, add);
    const join = joinOfPayment(filter);
    const statement = matches.map(({ by, from, where, id, isFrequent = false, isEachDay = false }) => {
      // Without an order to go along, "+ 0" makes the planner read all that is found and sort it (contribution-filter.ts).
      const order = id ?? 'c.id + 0';
      const below = position === undefined ? '' : ` AND ${id ?? 'c.id'} < ${position}`;
      // Going along an order, the gifts of a few days would be found only after all later ones.
      const within = id === undefined || ids === undefined ? '' : ` AND ${id} ${ids}`;
      const ofDay = isEachDay ? ' AND c.day = each.day' : '';
      const way = by === undefined ? 'NULL' : `'${by}'`;
      // What most gifts have is looked up after sorting, until the page is full; OFFSET 0 keeps the order.
      const [first, last] = isFrequent && id === undefined ? ['true', where] : [where, 'true'];
      const newest = `
        SELECT c.id, c.person_id FROM ${from} ${join}
        WHERE ${first} AND ${selected}${below}${within}${ofDay}
        ORDER BY ${order} DESC${last === 'true' ? ` LIMIT ${limit}` : ' OFFSET 0'}`;
      const found = isEachDay
        ? `SELECT c.id FROM ${daysOf(filter, add)} CROSS JOIN LATERAL (${newest}) c ORDER BY c.id DESC`
        : newest;
      return `(SELECT ${way} AS by, c.id FROM (${found}) c WHERE ${last} LIMIT ${limit})`;
    });
    return byGift(await sqlRows<Match>(tx, statement.join('\nUNION ALL\n'), values), search.limit + 1);
  }

  private async matchesOf(
    tx: EntityManager,
    text: string | undefined,
    filter: GiftFilter,
    add: AddParameter,
  ): Promise<WayToSearch[]> {
    const narrow = isNarrow(filter, this.clock.now());
    const isEachDay = isOfFewDays(filter, this.clock.now()) && !isNarrowOnAnyDay(filter);
    if (text === undefined) {
      if (isEachDay) return [{ from: 'contribution c', where: 'true', id: 'c.id', isEachDay }];
      if (filter.amount !== undefined && !narrow) return [hasAmount(filter.amount, add)];
      return [{ from: 'contribution c', where: 'true', ...(!narrow && { id: 'c.id' }) }];
    }
    const givers = await this.people.findGivers(tx, text, LISTED_GIVERS);
    const ofGivers = matchOfGivers(givers, add).map(({ id, ...match }) => ({
      ...match,
      ...(id !== undefined && (isEachDay ? { id, isEachDay } : !narrow && { id })),
    }));
    const { minorUnits, country } = this.church;
    return [...ofGivers, ...matchesOfText(text, { minorUnits, country }, add)];
  }
}

/** The newest gifts. Each way of matching has contributed its newest ones, so none of them is missing. */
function byGift(matches: readonly Match[], limit: number): Map<number, WayToMatch[]> {
  const ids = [...new Set(matches.map(({ id }) => id))].sort((one, other) => other - one).slice(0, limit);
  const found = new Map<number, WayToMatch[]>(ids.map((id) => [id, []]));
  for (const { id, by } of matches) if (by !== null && found.get(id)?.includes(by) === false) found.get(id)?.push(by);
  return found;
}

async function readGifts(
  tx: EntityManager,
  found: ReadonlyMap<number, readonly WayToMatch[]>,
  ids: readonly number[],
): Promise<FoundGift[]> {
  const rows = await sqlRows<FoundGiftRow>(tx, SELECT_FOUND_GIFTS, [ids]);
  return rows.map((row) => foundGiftOf(row, found.get(row.id) ?? []));
}

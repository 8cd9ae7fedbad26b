import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../../database/index.js';
import { UnknownPositionError } from '../errors.js';
import type { PagePosition } from './page-position.js';

/** An epoch of the books (ADR 25), and up to where they were those of the epoch before when it began. */
interface Epoch {
  readonly token: string | null;
  readonly fork: Readonly<Record<PagePosition['order'], number>>;
  /** When the books last changed before it began, ISO 8601; null where nothing was recorded. */
  readonly forkAt: string | null;
}

/** Numbers of one kind. */
interface Numbers {
  /** The last one that was given away. */
  readonly last: number;
  /** Up to where all are settled: a row that has one of these can be seen, or never will be. */
  readonly upTo: number;
  /** The highest of those that a row has which can be seen, and so is kept by the database, crash or not. */
  readonly end: number;
}

/** What a page of a list has to know of the books. */
export class BooksState {
  private constructor(
    private readonly numbers: Readonly<Record<PagePosition['order'], Numbers>>,
    /** From the first to the current one. */
    private readonly epochs: readonly Epoch[],
  ) {}

  /** To be the first statement of a transaction, since what it calls settled is what the ones after it can see. */
  static async read(tx: EntityManager): Promise<BooksState> {
    const row = await sqlRow<StateRow>(tx, SELECT_STATE);
    if (row === undefined) throw new Error('settled_contributions() returned no row');
    return new BooksState(
      {
        id: { last: row.last_id, upTo: row.id, end: row.end_id },
        change: { last: row.last_change_no, upTo: row.change_no, end: row.end_change_no },
      },
      row.epochs,
    );
  }

  /** Where pages end: before the first number that a transaction under way may still use (ADR 18). */
  settled(order: PagePosition['order']): number {
    return this.numbers[order].upTo;
  }

  /**
   * The position after everything that there is. Never a number of which only the sequence knows: after a crash it may be
   * given out again.
   */
  end(order: PagePosition['order']): number {
    return this.numbers[order].end;
  }

  /** The position in the current epoch. */
  position(order: PagePosition['order'], number: number): PagePosition {
    return { order, number, epoch: this.epochs.at(-1)?.token ?? null };
  }

  /** @throws UnknownPositionError where the books are not those that were read up to this position. */
  assertKnown({ order, number, epoch }: PagePosition): void {
    const index = this.epochs.findIndex(({ token }) => token === epoch);
    if (index === -1) throw new UnknownPositionError(null);
    const passed = this.epochs.slice(index + 1).find(({ fork }) => number > fork[order]);
    if (passed !== undefined) throw new UnknownPositionError(order === 'change' ? passed.forkAt : null);
    if (number > this.numbers[order].last) throw new UnknownPositionError(null);
  }
}

type StateRow = Record<'last_id' | 'id' | 'end_id' | 'last_change_no' | 'change_no' | 'end_change_no', number> & {
  readonly epochs: readonly Epoch[];
};

/** The ends may lag behind what is settled, since their snapshot is older than the look at the locks; that does no harm. */
const SELECT_STATE = `
  SELECT s.last_id, s.id, s.last_change_no, s.change_no,
    coalesce((SELECT max(c.id) FROM contribution c WHERE c.id <= s.id), 0) AS end_id,
    coalesce((SELECT max(c.change_no) FROM contribution c WHERE c.change_no <= s.change_no), 0) AS end_change_no,
    (SELECT json_agg(json_build_object('token', token, 'fork', json_build_object('id', fork_id, 'change', fork_change_no),
       'forkAt', to_char(fork_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY number)
     FROM books_epoch) AS epochs
  FROM settled_contributions() s`;

import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../../database/index.js';
import { UnknownPositionError } from '../errors.js';
import type { PagePosition } from './page-position.js';

/** An epoch of the books (ADR 25), and the numbers up to which it continues the previous epoch. */
interface Epoch {
  readonly token: string | null;
  readonly fork: Readonly<Record<PagePosition['order'], number>>;
  /** When the books last changed before it began: ISO 8601; null if nothing was recorded. */
  readonly forkAt: string | null;
}

/** The state of one kind of number: ids or change numbers. */
interface NumberRange {
  /** The last number that was assigned. */
  readonly last: number;
  /** All numbers up to this one are settled: their rows are visible, or will never exist. */
  readonly upTo: number;
  /** The highest settled number of a row that the caller may see, which a crash cannot undo; 0 if there is none. */
  readonly end: number;
}

/** The state of the books that a page of a list depends on. */
export class BooksState {
  private constructor(
    private readonly numbers: Readonly<Record<PagePosition['order'], NumberRange>>,
    /** From the first to the current one. */
    private readonly epochs: readonly Epoch[],
  ) {}

  /**
   * Must be the first statement of a transaction: the later statements then see all settled rows.
   * @param addedBy the user whose gifts the caller may see; undefined: all gifts.
   */
  static async read(tx: EntityManager, addedBy: number | undefined): Promise<BooksState> {
    const row =
      addedBy === undefined
        ? await sqlRow<StateRow>(tx, SELECT_STATE)
        : await sqlRow<StateRow>(tx, SELECT_STATE_FOR_USER, [addedBy]);
    if (row === undefined) throw new Error('settled_contributions() returned no row');
    return new BooksState(
      {
        id: { last: row.last_id, upTo: row.id, end: row.end_id },
        change: { last: row.last_change_no, upTo: row.change_no, end: row.end_change_no },
      },
      row.epochs,
    );
  }

  /** The last number of a page: it is below the first number that a running transaction may still use (ADR 18). */
  settled(order: PagePosition['order']): number {
    return this.numbers[order].upTo;
  }

  /**
   * The position after all rows that the caller may see. It is the number of a row, because a crash may reset the sequence
   * to a lower number. It is the number of a row of the caller's, so that it does not tell how many gifts others add.
   */
  end(order: PagePosition['order']): number {
    return this.numbers[order].end;
  }

  /** The position in the current epoch. */
  position(order: PagePosition['order'], number: number): PagePosition {
    return { order, number, epoch: this.epochs.at(-1)?.token ?? null };
  }

  /** @throws UnknownPositionError if the position belongs to a state of the books that was lost. */
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

const SELECT_STATE = stateStatement('true');
const SELECT_STATE_FOR_USER = stateStatement('c.added_by = $1');

/** The ends may be lower than the settled numbers, because their snapshot is older than the check of locks. That is safe. */
function stateStatement(visible: string): string {
  return `
  SELECT s.last_id, s.id, s.last_change_no, s.change_no,
    coalesce((SELECT max(c.id) FROM contribution c WHERE ${visible} AND c.id <= s.id), 0) AS end_id,
    coalesce((SELECT max(c.change_no) FROM contribution c WHERE ${visible} AND c.change_no <= s.change_no), 0) AS end_change_no,
    (SELECT json_agg(json_build_object('token', token, 'fork', json_build_object('id', fork_id, 'change', fork_change_no),
       'forkAt', to_char(fork_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY number)
     FROM books_epoch) AS epochs
  FROM settled_contributions() s`;
}

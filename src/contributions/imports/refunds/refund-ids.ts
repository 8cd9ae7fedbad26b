import { InvalidRequestError } from '../../../http/index.js';
import type { StoredAmount } from '../../../values/index.js';

/** How a refund is recorded. */
export interface RefundIdentity {
  readonly id: string;
  /** The fund of which it was recorded, or will be; undefined if it is of all funds of the payment. */
  readonly fundId: number | undefined;
}

/** What tells refunds without an id of their own apart. Each value has one spelling, however the file writes it. */
export interface RefundContent {
  readonly source: string;
  /** Of the gift. */
  readonly transactionId: string;
  /** Undefined: all that is left. */
  readonly amount: StoredAmount | undefined;
  /** YYYY-MM-DD at the church; undefined if the row has no date. */
  readonly day: string | undefined;
  /** Undefined if the row names no fund. */
  readonly fundId: number | undefined;
}

/** What the id of a refund says that an import has made. */
interface MadeRefundId {
  /** An amount as stored, or `rest`. */
  readonly amount: string;
  /** Imports of earlier releases kept the date as the file wrote it. Blank if the row had none. */
  readonly date: string;
  /** Undefined if the row named no fund, and for imports of earlier releases. */
  readonly fundId: number | undefined;
}

const REST = 'rest';
const MADE = /^import (?<amount>rest|\d+\.\d\d) (?<date>.*?)(?: in (?<fundId>[1-9]\d*))? [1-9]\d*$/u;

/**
 * Gives each refund of a file without an id one, by which it is known when the file is imported again. Refunds of a gift
 * over the same amount are told apart by their days and funds, and otherwise by their order.
 */
export class RefundIds {
  private readonly counts = new Map<string, number>();
  /** By the id of a refund of this file, how it is recorded. Keys have the source, too. */
  private readonly identities = new Map<string, RefundIdentity>();
  /** By the id under which a refund of this file is recorded, the id that the file gives it. */
  private readonly owners = new Map<string, string>();

  /** The id of the next refund. Call it in the order of the file for the refunds of one gift. */
  next({ source, transactionId, amount, day = '', fundId }: RefundContent): string {
    const beginning = `import ${amount ?? REST} ${day}${fundId === undefined ? '' : ` in ${fundId}`}`;
    const key = JSON.stringify([source, transactionId, beginning]);
    const number = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, number);
    return `${beginning} ${number} ${transactionId}`;
  }

  /**
   * How a refund is recorded, or will be: under its own id, or under one that was made from another spelling of its date by an earlier
   * release, or from a row without its fund. Each recorded refund counts for one row. Call it in the order of {@link next}.
   * @param id from {@link next}.
   * @param recorded the ids of all recorded refunds of the gift.
   * @param dayOf reads a date of an earlier file; undefined if it is none.
   * @throws InvalidRequestError if an earlier row of the file counts as this refund.
   */
  identify(
    id: string,
    content: RefundContent,
    recorded: readonly string[],
    dayOf: (date: string) => string | undefined,
  ): RefundIdentity {
    const key = (one: string): string => JSON.stringify([content.source, one]);
    const known = this.identities.get(key(id));
    if (known !== undefined) return known;
    const identity = this.find(id, content, {
      // The refunds that other rows of the file count as are not this one.
      recorded: recorded.filter((other) => other === id || !this.owners.has(key(other))),
      dayOf,
    });
    if (this.owners.has(key(identity.id))) throw takenByAnotherRow();
    this.identities.set(key(id), identity);
    this.owners.set(key(identity.id), id);
    return identity;
  }

  private find(
    id: string,
    { transactionId, amount, day = '', fundId }: RefundContent,
    { recorded, dayOf }: { recorded: readonly string[]; dayOf: (date: string) => string | undefined },
  ): RefundIdentity {
    if (recorded.includes(id)) return { id, fundId };
    const found = recorded.find((other) => {
      const made = readRefundId(other, transactionId);
      if (made?.amount !== (amount ?? REST)) return false;
      // An id that differs only in its number belongs to the row with that number.
      if (made.date === day && made.fundId === fundId) return false;
      const mayBeOfFund = made.fundId === fundId || made.fundId === undefined || fundId === undefined;
      return mayBeOfFund && (made.date === day || dayOf(made.date) === day);
    });
    return found === undefined ? { id, fundId } : { id: found, fundId: readRefundId(found, transactionId)?.fundId };
  }
}

/** Happens if a row without a fund was recorded, and the file has a row with the fund before it. */
function takenByAnotherRow(): InvalidRequestError {
  const message = 'is required: an earlier row of the file counts as the refund of this gift with this amount and day';
  return InvalidRequestError.ofFields([{ field: 'RefundId', message }]);
}

/** Reads an id that {@link RefundIds} has made for a refund of this gift; undefined for any other id. */
function readRefundId(id: string, transactionId: string): MadeRefundId | undefined {
  const end = ` ${transactionId}`;
  const groups = id.endsWith(end) ? MADE.exec(id.slice(0, -end.length))?.groups : undefined;
  if (groups === undefined) return undefined;
  const { amount = '', date = '', fundId } = groups;
  return { amount, date, fundId: fundId === undefined ? undefined : Number(fundId) };
}

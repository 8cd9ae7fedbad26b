import { ExactlyOnceModel } from './exactly-once-model.js';
import { type Entry, type Fund, type Made, NEW_ID } from './entry.js';
import { LedgerModel } from './ledger-model.js';
import type { GiftRequest } from './operation.js';
import { PeopleModel } from './people-model.js';
import { ReviewModel } from './review-model.js';
import type { Expected, Seen } from './answers.js';

/** A gift that was sent with a TransactionId. */
export interface SentTransaction {
  readonly request: GiftRequest;
  readonly gift: Entry;
  readonly answer: { readonly PeopleId: number };
}

/** The state of the model. */
export class Books {
  readonly people = new PeopleModel();
  readonly ledger: LedgerModel;
  readonly reviews: ReviewModel;
  readonly keys = new ExactlyOnceModel();
  /** By user, source and transaction. */
  readonly transactions = new Map<string, SentTransaction>();
  /** The notices for Finance. */
  readonly notices: Readonly<Record<string, unknown>>[] = [];

  /** `today` is YYYY-MM-DD in church time. The first fund is the default fund. */
  constructor(
    readonly timeZone: string,
    today: string,
    funds: readonly [Fund, ...Fund[]],
  ) {
    this.ledger = new LedgerModel(today, funds);
    this.reviews = new ReviewModel(this.ledger, this.people);
  }

  /** The values of a new entry that only the service can choose; undefined if no entry was created. */
  made({ entry, began, ended }: Seen): Made | undefined {
    if (entry === undefined) return undefined;
    const id = Number(entry['contributionId']);
    const date = String(entry['date']);
    const inTime = Date.parse(date) >= began && Date.parse(date) <= ended;
    return {
      id: this.ledger.entries.has(id) ? NEW_ID : id,
      bundleId: Number(entry['bundleId']),
      createdAt: String(entry['createdAt']),
      date: inTime ? date : 'an instant during the call',
    };
  }
}

/** The refusal of a gift that is already reversed. It names the source of the reversal. */
export function alreadyReversed(reversal: Entry): Expected {
  return { codes: ['already_reversed'], mentions: `source ${reversal.source}` };
}

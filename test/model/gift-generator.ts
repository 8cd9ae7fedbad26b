import type { Books } from './books.js';
import { someGiver } from './giver-pool.js';
import {
  type AddGift,
  API_USERS,
  type FundName,
  type GiftDate,
  type GiftRequest,
  METHODS,
  type Split,
  UNKNOWN_ID,
} from './operation.js';
import type { Random } from './random.js';
import { written } from './written.js';

/** Sources of gifts and reversals. There are few, so that they repeat. */
export const SOURCES = ['txt2give', 'kiosk', 'Büro 1/2'] as const;

const NO_PART: Omit<Split, 'cents'> = {
  fundId: undefined,
  fundName: undefined,
  notes: undefined,
  contributionTypeId: undefined,
};

const DATES: readonly [GiftDate, ...GiftDate[]] = [
  { sent: '2024-03-01', iso: '2024-03-01' },
  { sent: '3/10/2024 2:30 PM', iso: '2024-03-10T14:30' },
  { sent: '2023-12-31T23:30:00-06:00', iso: '2023-12-31T23:30:00-06:00' },
];

/** Names of funds with their spellings. Two funds have the name Youth, and none the name Roof. */
const FUND_NAMES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  General: ['General', 'GENERAL', 'gén-eral'],
  Missions: ['Missions', 'missions', 'Mis sions.'],
  Building: ['Building', 'BUILDING', "Build'ing"],
  Youth: ['Youth', 'youth', 'YOUTH'],
  Roof: ['Roof'],
};
const AMBIGUOUS = 'Youth';

/** What is different in a gift with invalid fields of its payment. */
const INVALID_PAYMENTS: readonly [Partial<GiftRequest>, ...Partial<GiftRequest>[]] = [
  { method: 'cheque' },
  { checkNumber: '1'.repeat(21) },
  { feeCents: 100_000_001 },
  { payoutId: 'payout', source: undefined },
  { splits: [] },
  { splits: [{ ...NO_PART, cents: 0 }] },
  { splits: [{ ...NO_PART, cents: 100_000_001 }] },
  { splits: Array.from({ length: 21 }, () => ({ ...NO_PART, cents: 1 })), cents: 21 },
];

/** Generates gifts of givers with no, one or several matches. Most gifts are valid. */
export class GiftGenerator {
  private gifts = 0;

  constructor(
    private readonly random: Random,
    private readonly books: Books,
  ) {}

  /** A gift that was not sent before. */
  next(): AddGift {
    const { random } = this;
    this.gifts += 1;
    const request = this.request();
    return {
      kind: 'add',
      user: random.pick(API_USERS),
      key: random.percent(40) ? `gift ${this.gifts}` : undefined,
      quoted: random.percent(50),
      twice: false,
      request,
      body: written(request, random),
      dryRun: false,
    };
  }

  /** A dry run of a new gift. */
  dryRun(): AddGift {
    return { ...this.next(), dryRun: true };
  }

  /** The gift with one field changed, added or left out, so that it is another request. */
  changed(request: GiftRequest): GiftRequest {
    const { random } = this;
    const all: GiftRequest[] = [
      ...(request.splits === undefined ? [{ ...request, cents: request.cents + 1 }] : [this.splitOtherwise(request)]),
      { ...request, method: request.method === 'card' ? 'cash' : 'card' },
      { ...request, feeCents: request.feeCents === undefined ? 0 : undefined },
      { ...request, payoutId: request.payoutId === undefined ? 'payout-1' : undefined },
      { ...request, fundName: request.fundName === undefined ? this.fundName() : undefined },
      { ...request, notes: `${request.notes ?? ''}.` },
      { ...request, currency: request.currency === undefined ? random.pick(['USD', 'EUR']) : undefined },
      { ...request, date: request.date === undefined ? DATES[0] : undefined },
      { ...request, fundId: request.fundId === undefined ? this.books.ledger.fund(undefined)?.id : undefined },
      { ...request, bundleTypeId: request.bundleTypeId === undefined ? 4 : undefined },
      { ...request, contributionTypeId: request.contributionTypeId === undefined ? 1 : undefined },
      { ...request, peopleId: request.peopleId === undefined ? this.peopleId() : undefined },
      { ...request, ignoreUnknownPerson: request.ignoreUnknownPerson === undefined ? true : undefined },
      {
        ...request,
        giver: { ...request.giver, first: { ...request.giver.first, sent: `${request.giver.first.sent}-` } },
      },
    ];
    return random.some(all) ?? request;
  }

  /** The gift with a Source and a TransactionId. */
  withTransaction(request: GiftRequest): GiftRequest {
    return {
      ...request,
      source: request.source ?? SOURCES[0],
      transactionId: request.transactionId ?? `transaction-${this.gifts}`,
    };
  }

  /** The gift without everything that may be refused. */
  corrected(request: GiftRequest): GiftRequest {
    return {
      ...request,
      cents: Math.max(1, request.cents),
      source: request.source ?? SOURCES[0],
      fundId: undefined,
      peopleId: undefined,
      currency: undefined,
      ignoreUnknownPerson: undefined,
      bundleTypeId: undefined,
      contributionTypeId: undefined,
      method: undefined,
      checkNumber: undefined,
      feeCents: undefined,
      fundName: undefined,
      splits: undefined,
    };
  }

  /** The id of a person, a merged person or nobody. */
  peopleId(): number {
    const { random } = this;
    if (random.percent(10)) return UNKNOWN_ID;
    const merged = this.books.people.all().filter(({ mergedInto }) => mergedInto !== undefined);
    const person = random.percent(30) ? random.some(merged) : random.recent(this.books.people.all());
    return person?.id ?? UNKNOWN_ID;
  }

  private request(): GiftRequest {
    const { random } = this;
    const request = { ...this.plainRequest(), ...this.paymentDetails() };
    const split = random.percent(35) ? this.split(request) : request;
    return random.percent(4) ? { ...split, ...random.pick(INVALID_PAYMENTS) } : split;
  }

  private paymentDetails(): Pick<GiftRequest, 'method' | 'checkNumber' | 'feeCents' | 'payoutId' | 'fundName'> {
    const { random } = this;
    return {
      method: random.percent(40) ? random.pick(METHODS) : undefined,
      checkNumber: random.percent(10) ? `${1_000 + random.below(20)}` : undefined,
      feeCents: random.percent(25) ? random.below(random.percent(95) ? 400 : 2_000) : undefined,
      payoutId: random.percent(25) ? `payout-${random.below(5)}` : undefined,
      fundName: random.percent(10) ? this.fundName() : undefined,
    };
  }

  /** The gift in several parts, mostly without a fund beside them. */
  private split(request: GiftRequest): GiftRequest {
    const { random } = this;
    const count = random.weighted([
      [10, 1],
      [50, 2],
      [30, 3],
      [10, 7],
    ]);
    const splits = Array.from({ length: count }, (): Split => ({
      cents: random.pick([1, 500, 1_050, 1 + random.below(30_000)]),
      fundId: random.percent(50) ? this.fundId() : undefined,
      fundName: random.percent(25) ? this.fundName() : undefined,
      notes: random.percent(20) ? `Part of ${this.gifts}` : undefined,
      contributionTypeId: random.percent(20) ? random.pick([1, 5, 8, 9, 10, 20]) : undefined,
    }));
    const cents = splits.reduce((sum, split) => sum + split.cents, 0);
    const beside = random.percent(3) ? {} : { fundId: undefined, fundName: undefined };
    return { ...request, ...beside, splits, cents: random.percent(97) ? cents : cents + 1 };
  }

  /** One cent goes from a part to another one, or the order changes, or there is one part more. */
  private splitOtherwise({ splits = [], ...request }: GiftRequest): GiftRequest {
    const [first, ...others] = splits;
    if (first === undefined) return { ...request, splits: undefined };
    const { cents } = request;
    return this.random.pick<GiftRequest>([
      { ...request, splits: undefined },
      { ...request, splits: [{ ...first, notes: `${first.notes ?? ''}.` }, ...others] },
      { ...request, cents: cents + 1, splits: [...splits, { ...NO_PART, cents: 1 }] },
      { ...request, cents: cents + 1, splits: [{ ...first, cents: first.cents + 1 }, ...others] },
    ]);
  }

  private fundName(): FundName {
    const { random } = this;
    const name = random.percent(90)
      ? random.pick(['General', 'Missions', 'Building'])
      : random.pick([AMBIGUOUS, 'Roof']);
    const fund = name === AMBIGUOUS ? undefined : this.books.ledger.funds.find((one) => one.name === name);
    return { sent: random.pick(FUND_NAMES[name] ?? ['Roof']), fundId: fund?.id };
  }

  private fundId(): number | undefined {
    return this.random.percent(99) ? this.random.some(this.books.ledger.funds)?.id : UNKNOWN_ID;
  }

  private plainRequest(): Omit<GiftRequest, 'method' | 'checkNumber' | 'feeCents' | 'payoutId' | 'fundName'> {
    const { random } = this;
    const transaction = random.percent(30);
    const source = transaction || random.percent(60) ? random.pick(SOURCES) : undefined;
    return {
      giver: someGiver(random, 1 + Math.floor(this.gifts / 12)),
      cents: random.percent(2) ? 0 : random.pick([500, 500, 1_050, 1 + random.below(100_000)]),
      date: random.percent(20) ? random.pick(DATES) : undefined,
      notes: random.percent(20) ? `Note ${this.gifts}` : undefined,
      currency: random.weighted<GiftRequest['currency']>([
        [80, undefined],
        [17, 'USD'],
        [3, 'EUR'],
      ]),
      source: transaction && random.percent(3) ? undefined : source,
      transactionId: transaction ? `transaction-${this.gifts}` : undefined,
      peopleId: random.percent(20) ? this.peopleId() : undefined,
      ignoreUnknownPerson: random.percent(15) ? true : undefined,
      fundId: random.weighted<number | undefined>([
        [50, undefined],
        [45, random.some(this.books.ledger.funds)?.id],
        [3, UNKNOWN_ID],
      ]),
      bundleTypeId: random.weighted<number | undefined>([
        [60, undefined],
        [35, random.pick([1, 2, 3, 4, 5, 6, 20, 30, 32])],
        [3, random.pick([7, UNKNOWN_ID])],
      ]),
      contributionTypeId: random.weighted<number | undefined>([
        [60, undefined],
        [35, random.pick([1, 5, 8, 9, 10, 20])],
        [4, random.pick([7, 2, UNKNOWN_ID])],
      ]),
      splits: undefined,
    };
  }
}

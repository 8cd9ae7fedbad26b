import type { Books } from './books.js';
import { someGiver } from './giver-pool.js';
import { type AddGift, API_USERS, type GiftDate, type GiftRequest, UNKNOWN_ID } from './operation.js';
import type { Random } from './random.js';
import { written } from './written.js';

/** Sources of gifts and reversals. There are few, so that they repeat. */
export const SOURCES = ['txt2give', 'kiosk', 'Büro 1/2'] as const;

const DATES: readonly [GiftDate, ...GiftDate[]] = [
  { sent: '2024-03-01', iso: '2024-03-01' },
  { sent: '3/10/2024 2:30 PM', iso: '2024-03-10T14:30' },
  { sent: '2023-12-31T23:30:00-06:00', iso: '2023-12-31T23:30:00-06:00' },
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
    return random.pick<GiftRequest>([
      { ...request, cents: request.cents + 1 },
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
    ]);
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
    };
  }
}

import {
  type Bundle,
  type Entry,
  type Fund,
  type Made,
  type MatchView,
  NEW_ID,
  type Payment,
  type Reversal,
} from './entry.js';
import type { ApiUser, GiftRequest, Split, User } from './operation.js';
import { currentFundOf, isGift, leftOf, type Share } from './payment-model.js';

const BUNDLE_TYPES = [1, 2, 3, 4, 5, 6, 20, 30, 32];
const TYPES_FOR_CALLERS = [1, 5, 8, 9, 10, 20];
const ONLINE_BUNDLE = 4;
const REGULAR = 1;
const REVERSED = 7;
const DAY = 24 * 60 * 60 * 1000;

/** Gifts, reversing entries, bundles and funds. */
export class LedgerModel {
  readonly entries = new Map<number, Entry>();
  readonly bundles = new Map<number, Bundle>();
  readonly reassignments: { contributionId: number; from: number; to: number; by: string }[] = [];

  /** `today` is YYYY-MM-DD in church time. The first fund is the default fund. */
  constructor(
    readonly today: string,
    readonly funds: readonly [Fund, ...Fund[]],
    private defaultFund = funds[0],
  ) {}

  fund(id: number | undefined): Fund | undefined {
    return id === undefined ? this.defaultFund : this.funds.find((fund) => fund.id === id);
  }

  changeFund(id: number, open: boolean): void {
    const fund = this.fund(id);
    if (fund !== undefined) fund.open = open;
  }

  /** @returns false if there is no such bundle. */
  closeBundle(id: number): boolean {
    const bundle = this.bundles.get(id);
    if (bundle === undefined) return false;
    bundle.open = false;
    return true;
  }

  /** @returns false for a closed fund, which cannot become the default. The default fund itself may be closed. */
  chooseDefaultFund(id: number): boolean {
    const fund = this.fund(id);
    if (fund === this.defaultFund) return true;
    if (fund?.open !== true) return false;
    this.defaultFund = fund;
    return true;
  }

  /** The errors of the ids and names in this request. The service may report any of them. */
  faultsOf(request: GiftRequest): string[] {
    const parts = splitsOf(request);
    const unknownFund = parts.some(
      ({ fundId, fundName }) =>
        this.fund(fundId) === undefined || (fundName !== undefined && fundName.fundId === undefined),
    );
    const types = parts.map(({ contributionTypeId }) => contributionTypeId ?? REGULAR);
    return [
      ...(unknownFund ? ['fund_not_found'] : []),
      ...(BUNDLE_TYPES.includes(request.bundleTypeId ?? ONLINE_BUNDLE) ? [] : ['bundle_type_not_found']),
      ...(types.every((type) => TYPES_FOR_CALLERS.includes(type)) ? [] : ['contribution_type_not_allowed']),
    ];
  }

  /** Records a valid gift: a payment and its parts. `made` has the ids of the parts, and their date and day. */
  addPayment(
    { request, by }: { readonly request: GiftRequest; readonly by: ApiUser },
    { personId, match }: { readonly personId: number; readonly match: MatchView },
    made: readonly (Made & { readonly day: string })[],
  ): Payment {
    const payment: Payment = {
      cents: request.cents,
      feeCents: request.feeCents ?? null,
      method: request.method === 'cheque' ? null : (request.method ?? null),
      checkNumber: request.checkNumber ?? null,
      payoutId: request.payoutId ?? null,
      user: by,
      entries: [],
    };
    splitsOf(request).forEach((split, index) => {
      const { day, ...own } = made[index] ?? { ...NOTHING_MADE, day: '' };
      this.add({
        ...newEntry(own, by),
        kind: 'part',
        of: null,
        payment,
        reversal: null,
        bundle: this.bundleFor(request.bundleTypeId ?? ONLINE_BUNDLE, by, own.bundleId),
        personId,
        cents: split.cents,
        fundId: split.fundName?.fundId ?? this.fund(split.fundId)?.id ?? 0,
        typeId: split.contributionTypeId ?? REGULAR,
        source: request.source ?? null,
        transactionId: request.transactionId ?? null,
        notes: split.notes ?? null,
        giver: request.giver,
        day,
        match,
      });
    });
    return payment;
  }

  /** Takes these shares back. */
  reverse(
    shares: readonly Share[],
    { by, notes, ...call }: Omit<Reversal, 'entries'> & { readonly by: User; readonly notes: string | null },
    made: readonly Made[],
  ): Reversal {
    const reversal: Reversal = { ...call, entries: [] };
    shares.forEach(({ gift, cents }, index) => {
      const entry = this.add({
        ...this.changeOf(gift, by, made[index]),
        kind: 'reversing entry',
        reversal,
        cents: -cents,
        fundId: currentFundOf(gift),
        typeId: REVERSED,
        source: call.source,
        notes,
      });
      reversal.entries.push(entry);
    });
    return reversal;
  }

  /** Gives back what a reversal took. */
  reinstate(
    reversal: Reversal,
    call: { readonly by: User; readonly notes: string | null },
    made: readonly Made[],
  ): Entry[] {
    return reversal.entries.map((entry, index) => {
      const gift = entry.of ?? entry;
      const change = this.changeOf(gift, call.by, made[index]);
      return this.add({
        ...change,
        kind: 'reinstatement',
        of: entry,
        cents: -entry.cents,
        fundId: entry.fundId,
        giver: gift.giver,
        date: gift.date,
        day: gift.day,
        notes: call.notes,
      });
    });
  }

  /** Moves what is left of these gifts to another fund, by two entries for each. */
  moveToFund(
    gifts: readonly Entry[],
    { fundId, ...call }: { readonly fundId: number; readonly by: User; readonly notes: string | null },
    made: readonly Made[],
  ): Entry[] {
    return gifts.flatMap((gift, index) => {
      const [from, left] = [currentFundOf(gift), leftOf(gift)];
      return [
        { cents: -left, fundId: from },
        { cents: left, fundId },
      ].map((half, which) => {
        const change = this.changeOf(gift, call.by, made[2 * index + which]);
        return this.add({ ...change, ...half, kind: 'move', notes: call.notes });
      });
    });
  }

  /** Whether this user added a gift of the person. */
  hasGift(personId: number, by: ApiUser): boolean {
    return [...this.entries.values()].some((entry) => entry.personId === personId && entry.payment.user === by);
  }

  /** Moves a payment to another person and adds this to the history of each of its gifts. */
  reassign(payment: Payment, to: number, by: string): void {
    for (const entry of payment.entries) {
      if (isGift(entry)) this.reassignments.push({ contributionId: entry.id, from: entry.personId, to, by });
      entry.personId = to;
    }
  }

  /** Moves all contributions of a person to another one and adds this to the history of each gift. */
  move(from: number, into: number, by: string): void {
    const moved = [...this.entries.values()].filter(({ personId }) => personId === from);
    for (const entry of moved.sort((a, b) => a.id - b.id)) {
      entry.personId = into;
      if (isGift(entry)) this.reassignments.push({ contributionId: entry.id, from, to: into, by });
    }
  }

  /** Makes all contributions and open bundles older. */
  age(days: number): void {
    for (const bundle of this.bundles.values()) if (bundle.open) bundle.age += days;
    for (const entry of this.entries.values()) {
      entry.age += days;
      entry.createdAt = new Date(Date.parse(entry.createdAt) - days * DAY).toISOString();
    }
  }

  private add(entry: Entry): Entry {
    this.entries.set(entry.id, entry);
    entry.payment.entries.push(entry);
    return entry;
  }

  /** What all entries have that change a gift later: they are of today, in the bundle of the gift's type. */
  private changeOf(
    gift: Entry,
    by: User,
    made: Made = NOTHING_MADE,
  ): Omit<Entry, 'kind' | 'cents' | 'fundId' | 'notes'> {
    return {
      ...newEntry(made, by),
      of: gift,
      payment: gift.payment,
      reversal: null,
      bundle: this.bundleFor(gift.bundle.typeId, by, made.bundleId),
      personId: gift.personId,
      typeId: gift.typeId,
      source: gift.source,
      transactionId: null,
      giver: null,
      day: this.today,
      match: null,
    };
  }

  /** Today's open bundle of this type and user, or a new one with the id that the service chose. */
  private bundleFor(typeId: number, user: User, chosenId: number): Bundle {
    const fits = (bundle: Bundle): boolean =>
      bundle.open && bundle.age === 0 && bundle.typeId === typeId && bundle.user === user;
    const open = [...this.bundles.values()].find(fits);
    if (open !== undefined) return open;
    const id = this.bundles.has(chosenId) ? NEW_ID : chosenId;
    const bundle = { id, typeId, user, age: 0, open: true };
    this.bundles.set(id, bundle);
    return bundle;
  }
}

/** The parts of a gift: as sent, with what the gift says about those that say nothing; or the gift itself. */
export function splitsOf(request: GiftRequest): readonly Split[] {
  const { splits, notes, contributionTypeId } = request;
  return (
    splits?.map((split) => ({
      ...split,
      notes: split.notes ?? notes,
      contributionTypeId: split.contributionTypeId ?? contributionTypeId,
    })) ?? [request]
  );
}

const NOTHING_MADE: Made = { id: NEW_ID, bundleId: NEW_ID, createdAt: '', date: '' };

function newEntry({ id, createdAt, date }: Made, by: User): Pick<Entry, 'id' | 'createdAt' | 'date' | 'by' | 'age'> {
  return { id, createdAt, date, by, age: 0 };
}

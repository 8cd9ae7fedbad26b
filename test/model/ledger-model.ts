import { type Bundle, type Entry, type Fund, type Made, type MatchView, NEW_ID } from './entry.js';
import type { AddGift, ApiUser, GiftRequest } from './operation.js';

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

  /** @returns false for a closed fund, which cannot become the default. */
  chooseDefaultFund(id: number): boolean {
    const fund = this.fund(id);
    if (fund?.open !== true) return false;
    this.defaultFund = fund;
    return true;
  }

  /** The errors of the ids in this request. The service may report any of them. */
  faultsOf({ fundId, bundleTypeId, contributionTypeId }: GiftRequest): string[] {
    return [
      ...(this.fund(fundId) === undefined ? ['fund_not_found'] : []),
      ...(BUNDLE_TYPES.includes(bundleTypeId ?? ONLINE_BUNDLE) ? [] : ['bundle_type_not_found']),
      ...(TYPES_FOR_CALLERS.includes(contributionTypeId ?? REGULAR) ? [] : ['contribution_type_not_allowed']),
    ];
  }

  /** Records a valid gift. */
  addGift({ request, user: by }: AddGift, personId: number, match: MatchView, made: Made & { day: string }): Entry {
    return this.add({
      ...newEntry(made, by),
      bundle: this.bundleFor(request.bundleTypeId ?? ONLINE_BUNDLE, by, made.bundleId),
      personId,
      cents: request.cents,
      fundId: this.fund(request.fundId)?.id ?? 0,
      typeId: request.contributionTypeId ?? REGULAR,
      source: request.source ?? null,
      transactionId: request.transactionId ?? null,
      notes: request.notes ?? null,
      giver: request.giver,
      day: made.day,
      match,
      reverses: null,
    });
  }

  /** Reverses a gift that is not reversed. */
  reverse(gift: Entry, source: string, by: ApiUser, made: Made): void {
    gift.reversal = this.add({
      ...newEntry(made, by),
      bundle: this.bundleFor(gift.bundle.typeId, by, made.bundleId),
      personId: gift.personId,
      cents: -gift.cents,
      fundId: gift.fundId,
      typeId: REVERSED,
      source,
      transactionId: null,
      notes: null,
      giver: null,
      day: this.today,
      match: null,
      reverses: gift,
    });
  }

  /** Whether this user added a gift of the person. */
  hasGift(personId: number, by: ApiUser): boolean {
    return [...this.entries.values()].some(
      (entry) => entry.personId === personId && (entry.reverses ?? entry).by === by,
    );
  }

  /** Moves a gift and its reversing entry to another person. */
  reassign(gift: Entry, to: number, by: string): void {
    this.reassignments.push({ contributionId: gift.id, from: gift.personId, to, by });
    gift.personId = to;
    if (gift.reversal !== null) gift.reversal.personId = to;
  }

  /** Moves all contributions of a person to another one and adds this to the history of each gift. */
  move(from: number, into: number, by: string): void {
    const moved = [...this.entries.values()].filter(({ personId }) => personId === from);
    for (const entry of moved.sort((a, b) => a.id - b.id)) {
      entry.personId = into;
      if (entry.reverses === null) this.reassignments.push({ contributionId: entry.id, from, to: into, by });
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
    return entry;
  }

  /** Today's open bundle of this type and user, or a new one with the id that the service chose. */
  private bundleFor(typeId: number, user: ApiUser, chosenId: number): Bundle {
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

function newEntry(
  { id, createdAt, date }: Made,
  by: ApiUser,
): Pick<Entry, 'id' | 'createdAt' | 'date' | 'by' | 'age' | 'reversal'> {
  return { id, createdAt, date, by, age: 0, reversal: null };
}

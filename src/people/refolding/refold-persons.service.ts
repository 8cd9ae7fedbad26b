import { Injectable, Logger } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { sqlRow, sqlRows, Transactions, NO_TIME_LIMIT } from '../../database/index.js';
import { FOLDING_VERSION } from '../matching/folding.js';
import { lockQueued, readOutdated, refold } from './refold-batch.js';

/** Persons checked in one transaction. Only those with outdated forms are locked, which are few. */
const PERSONS_PER_STEP = 500;
/** Persons of person_to_fold locked in one transaction, for milliseconds. */
const QUEUED_PER_STEP = 100;

interface StoredRule {
  readonly version: number;
  readonly country: string;
  /** All persons up to this PeopleId are folded by this rule; null once all are. */
  readonly folded_up_to: number | null;
}

const CLAIM = `
  INSERT INTO folding (version, country, folded_up_to) VALUES ($1, $2, 0)
  ON CONFLICT (only_row) DO UPDATE SET version = $1, country = $2, folded_up_to = 0`;

const ADVANCE = `
  UPDATE folding SET folded_up_to = $3 WHERE version = $1 AND country = $2 AND folded_up_to IS NOT NULL RETURNING 1`;

/**
 * Folds stored names and contacts again when the folding rule, or the country of phone numbers without a country code,
 * has changed. It runs before the service listens, and resumes after an interruption. A program of another version may
 * write persons meanwhile and afterwards. Triggers queue them in person_to_fold (migration 19), and the job of
 * refold-persons.worker.ts folds them.
 */
@Injectable()
export class RefoldPersons {
  private readonly logger = new Logger(RefoldPersons.name);

  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /** Makes this program's rule the current one, and folds all persons by it. Runs at the start of the service. */
  async refoldAll(): Promise<void> {
    const stored = await this.storedRule();
    if (stored?.version !== FOLDING_VERSION || stored.country !== this.church.country) await this.claim();
    await this.finish();
  }

  /**
   * Folds persons that programs of an older version have written, and those that an interrupted start has left. It does
   * nothing if the current rule is a newer version's or has another country: two programs must not keep undoing each
   * other's work.
   */
  async refoldOutdated(signal: AbortSignal): Promise<void> {
    const stored = await this.storedRule();
    const older = stored === undefined || stored.version < FOLDING_VERSION;
    if (!older && (stored.version !== FOLDING_VERSION || stored.country !== this.church.country)) return;
    if (older) await this.claim();
    await this.finish(signal);
  }

  private async finish(signal?: AbortSignal): Promise<void> {
    await this.refoldRemaining(signal);
    while ((await this.refoldQueued()) === QUEUED_PER_STEP) signal?.throwIfAborted();
  }

  private storedRule(): Promise<StoredRule | undefined> {
    return this.transactions.run((tx) => sqlRow(tx, 'SELECT version, country, folded_up_to FROM folding'));
  }

  private async claim(): Promise<void> {
    await this.transactions.run((tx) => sqlRows(tx, CLAIM, [FOLDING_VERSION, this.church.country]));
  }

  /** Checks all remaining persons, and folds the outdated ones. Stops if another program claims the table. */
  private async refoldRemaining(signal?: AbortSignal): Promise<void> {
    const { folded_up_to: from = null } = (await this.storedRule()) ?? {};
    let changed = 0;
    for (let after = from, checked = 0; after !== null;) {
      signal?.throwIfAborted();
      const step = await this.step(after);
      after = step.upTo;
      changed += step.changed;
      checked += step.checked;
      if (step.checked > 0 && checked % (40 * PERSONS_PER_STEP) === 0) this.logger.log(`Checked ${checked} persons`);
    }
    if (changed > 0) this.logger.log(`Folded ${changed} persons again`);
  }

  private step(after: number): Promise<{ upTo: number | null; checked: number; changed: number }> {
    const { country } = this.church;
    return this.transactions.run(async (tx) => {
      const { ids, outdated } = await readOutdated(tx, { after, limit: PERSONS_PER_STEP }, country);
      await refold(tx, outdated, country);
      const upTo = ids.at(-1) ?? null;
      const advanced = await sqlRows(tx, ADVANCE, [FOLDING_VERSION, country, upTo]);
      return { upTo: advanced.length === 0 ? null : upTo, checked: ids.length, changed: outdated.length };
    }, NO_TIME_LIMIT);
  }

  /** @returns how many queued persons have been folded. */
  private refoldQueued(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const ids = await lockQueued(tx, QUEUED_PER_STEP);
      if (ids.length === 0) return 0;
      await refold(tx, ids, this.church.country);
      await sqlRows(tx, 'DELETE FROM person_to_fold WHERE person_id = ANY ($1::integer[])', [ids]);
      return ids.length;
    }, NO_TIME_LIMIT);
  }
}

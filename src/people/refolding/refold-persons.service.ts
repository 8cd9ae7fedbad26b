import { Injectable, Logger } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { sqlRow, sqlRows, Transactions, NO_TIME_LIMIT } from '../../database/index.js';
import { FOLDING_VERSION } from '../matching/folding.js';
import { lockNoted, readOutdated, refold } from './refold-batch.js';

/** Persons looked at in one transaction. Few of them are locked: those whose forms are other ones now. */
const WALKED_AT_ONCE = 500;
/** Persons of person_to_fold that are locked in one transaction, for milliseconds. */
const NOTED_AT_ONCE = 100;

interface StoredRule {
  readonly version: number;
  readonly country: string;
  /** The PeopleId up to which all have been folded by it; null once all have been. */
  readonly folded_up_to: number | null;
}

const CLAIM = `
  INSERT INTO folding (version, country, folded_up_to) VALUES ($1, $2, 0)
  ON CONFLICT (only_row) DO UPDATE SET version = $1, country = $2, folded_up_to = 0`;

const ADVANCE = `
  UPDATE folding SET folded_up_to = $3 WHERE version = $1 AND country = $2 AND folded_up_to IS NOT NULL RETURNING 1`;

/**
 * Folds anew what is stored when the rule of folding, or the country whose phone numbers are written without a code, is
 * another than it was made by. That is done before the service listens, and goes on where it was cut short. A program of
 * another version that still runs, or runs again, may write persons meanwhile and afterwards; the database notes them in
 * person_to_fold (migration 19), and they are worked off by the job of refold-persons.worker.ts.
 */
@Injectable()
export class RefoldPersons {
  private readonly logger = new Logger(RefoldPersons.name);

  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
  ) {}

  /** From now on this program's rule is the one by which all is folded. Done at the start of the service. */
  async refoldAll(): Promise<void> {
    const stored = await this.storedRule();
    if (stored?.version !== FOLDING_VERSION || stored.country !== this.church.country) await this.claim();
    await this.finish();
  }

  /**
   * Folds what programs of an older version have written, and what a start has left. A newer version's rule, and that of
   * a program whose church is in another country, are left alone: two programs must not undo each other's work for ever.
   */
  async keepUp(signal: AbortSignal): Promise<void> {
    const stored = await this.storedRule();
    const older = stored === undefined || stored.version < FOLDING_VERSION;
    if (!older && (stored.version !== FOLDING_VERSION || stored.country !== this.church.country)) return;
    if (older) await this.claim();
    await this.finish(signal);
  }

  private async finish(signal?: AbortSignal): Promise<void> {
    await this.walk(signal);
    while ((await this.foldNoted()) === NOTED_AT_ONCE) signal?.throwIfAborted();
  }

  private storedRule(): Promise<StoredRule | undefined> {
    return this.transactions.run((tx) => sqlRow(tx, 'SELECT version, country, folded_up_to FROM folding'));
  }

  private async claim(): Promise<void> {
    await this.transactions.run((tx) => sqlRows(tx, CLAIM, [FOLDING_VERSION, this.church.country]));
  }

  /** Looks at all persons, from where it was cut short on. Ends as well where another program has claimed them. */
  private async walk(signal?: AbortSignal): Promise<void> {
    const { folded_up_to: from = null } = (await this.storedRule()) ?? {};
    let changed = 0;
    for (let after = from, walked = 0; after !== null;) {
      signal?.throwIfAborted();
      const step = await this.step(after);
      after = step.upTo;
      changed += step.changed;
      walked += step.walked;
      if (step.walked > 0 && walked % (40 * WALKED_AT_ONCE) === 0) this.logger.log(`Looked at ${walked} persons`);
    }
    if (changed > 0) this.logger.log(`Folded ${changed} persons anew`);
  }

  private step(after: number): Promise<{ upTo: number | null; walked: number; changed: number }> {
    const { country } = this.church;
    return this.transactions.run(async (tx) => {
      const { ids, outdated } = await readOutdated(tx, { after, limit: WALKED_AT_ONCE }, country);
      await refold(tx, outdated, country);
      const upTo = ids.at(-1) ?? null;
      const advanced = await sqlRows(tx, ADVANCE, [FOLDING_VERSION, country, upTo]);
      return { upTo: advanced.length === 0 ? null : upTo, walked: ids.length, changed: outdated.length };
    }, NO_TIME_LIMIT);
  }

  /** @returns how many of those that were noted have been folded. */
  private foldNoted(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const ids = await lockNoted(tx, NOTED_AT_ONCE);
      if (ids.length === 0) return 0;
      await refold(tx, ids, this.church.country);
      await sqlRows(tx, 'DELETE FROM person_to_fold WHERE person_id = ANY ($1::integer[])', [ids]);
      return ids.length;
    }, NO_TIME_LIMIT);
  }
}

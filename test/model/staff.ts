import { Bundles } from '../../src/contributions/bundles/bundles.service.js';
import { BundleNotFoundError } from '../../src/contributions/bundles/errors.js';
import { FundClosedError } from '../../src/contributions/funds/errors.js';
import { Funds } from '../../src/contributions/funds/funds.service.js';
import { Contacts } from '../../src/people/contacts/contacts.service.js';
import {
  ContactNotFoundError,
  GiverNotFoundError,
  PersonMergedError,
  PersonNotFoundError,
  SamePersonError,
} from '../../src/people/errors.js';
import type { TestApp } from '../support/test-app.js';
import type { Answer } from './answers.js';
import { type StaffOperation, UNKNOWN_ID } from './operation.js';
import type { TwoPersons } from '../../src/people/merging/merge-persons.service.js';
import { mergePersons } from '../support/merge-persons.js';

/** The actions of the church's staff at the command line. */
export class Staff {
  constructor(private readonly service: TestApp) {}

  /** Does the operation. Returns an answer like one over HTTP. */
  async call(operation: StaffOperation): Promise<Answer> {
    switch (operation.kind) {
      case 'merge':
        return this.merge(operation);
      case 'confirm contact':
        return this.confirm(operation.peopleId, operation.contact);
      case 'close bundle':
        return this.closeBundle(operation.bundleId);
      case 'open or close fund':
        return this.done(this.funds.setOpen(operation));
      case 'choose default fund':
        return this.chooseDefault(operation.fundId);
      case 'let days pass':
        return this.letDaysPass(operation.days);
    }
  }

  private get funds(): Funds {
    return this.service.app.get(Funds, { strict: false });
  }

  private async done(work: Promise<unknown>): Promise<Answer> {
    await work;
    return DONE;
  }

  private async closeBundle(bundleId: number): Promise<Answer> {
    try {
      return await this.done(this.service.app.get(Bundles, { strict: false }).close({ bundleId, by: 'staff' }));
    } catch (error) {
      if (error instanceof BundleNotFoundError) return refusal(404, error.kind.code);
      throw error;
    }
  }

  private async chooseDefault(fundId: number): Promise<Answer> {
    try {
      await this.funds.makeDefault(fundId);
      return DONE;
    } catch (error) {
      if (error instanceof FundClosedError) return refusal(409, 'closed_fund');
      throw error;
    }
  }

  private async merge({ from, into }: TwoPersons): Promise<Answer> {
    try {
      await mergePersons(this.service, { from, into });
      return DONE;
    } catch (error) {
      if (error instanceof PersonNotFoundError || error instanceof GiverNotFoundError)
        return refusal(422, 'person_not_found');
      if (error instanceof PersonMergedError || error instanceof SamePersonError) return refusal(409, 'cannot_merge');
      throw error;
    }
  }

  private async confirm(peopleId: number, contact: string): Promise<Answer> {
    const [known] = await this.service.database.query<{ id: number }>(
      `SELECT id FROM contact WHERE person_id = $1 AND concat_ws(' ', kind, folded) = $2`,
      [peopleId, contact],
    );
    try {
      await this.service.app.get(Contacts, { strict: false }).confirm(known?.id ?? UNKNOWN_ID);
      return DONE;
    } catch (error) {
      if (error instanceof ContactNotFoundError) return refusal(409, 'no_contact');
      throw error;
    }
  }

  /**
   * Makes everything older except closed bundles, which never change. Bundles change in two steps, so that no two are
   * open on the same day in between.
   */
  private async letDaysPass(days: number): Promise<Answer> {
    await this.arrange('UPDATE bundle SET day = day - $1::integer - 100000 WHERE status = 1', days);
    await this.arrange('UPDATE bundle SET day = day + 100000 WHERE status = 1');
    await this.arrange(`UPDATE contribution SET created_at = created_at - $1 * interval '24 hours'`, days);
    return this.arrange(`UPDATE idempotency_key SET created_at = created_at - $1 * interval '24 hours'`, days);
  }

  private async arrange(statement: string, ...values: unknown[]): Promise<Answer> {
    await this.service.database.query(statement, values);
    return DONE;
  }
}

const DONE: Answer = { status: 200, replayed: false, body: {} };

function refusal(status: number, code: string): Answer {
  return { status, replayed: false, body: { code } };
}

import { Contacts } from '../../src/people/contacts.service.js';
import { PersonCommandError, PersonNotFoundError } from '../../src/people/errors.js';
import { MergePersons } from '../../src/people/merge-persons.service.js';
import type { TestApp } from '../support/test-app.js';
import type { Answer } from './answers.js';
import { type StaffOperation, UNKNOWN_ID } from './operation.js';

/** What the church's staff does at the command line and, where there is no command yet, at the database. */
export class Staff {
  constructor(private readonly service: TestApp) {}

  /** Does it; the answer is in the form of one over HTTP. */
  async call(operation: StaffOperation): Promise<Answer> {
    switch (operation.kind) {
      case 'merge':
        return this.merge(operation.from, operation.into);
      case 'confirm contact':
        return this.confirm(operation.peopleId, operation.contact);
      case 'close bundle':
        return this.arrange('UPDATE bundle SET status = 0, closed_at = now() WHERE id = $1', operation.bundleId);
      case 'open or close fund':
        return this.arrange('UPDATE fund SET is_open = $2 WHERE id = $1', operation.fundId, operation.open);
      case 'choose default fund':
        await this.arrange('UPDATE fund SET is_default = false WHERE is_default');
        return this.arrange('UPDATE fund SET is_default = true WHERE id = $1', operation.fundId);
      case 'let days pass':
        return this.letDaysPass(operation.days);
    }
  }

  private async merge(from: number, into: number): Promise<Answer> {
    try {
      await this.service.app.get(MergePersons, { strict: false }).run(from, into);
      return DONE;
    } catch (error) {
      if (error instanceof PersonNotFoundError) return refusal(422, error.code);
      if (error instanceof PersonCommandError) return refusal(409, 'cannot_merge');
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
      if (error instanceof PersonCommandError) return refusal(409, 'no_contact');
      throw error;
    }
  }

  /** All that was recorded becomes older. Days change in two steps: no two bundles may be open on one in between. */
  private async letDaysPass(days: number): Promise<Answer> {
    await this.arrange('UPDATE bundle SET day = day - $1::integer - 100000', days);
    await this.arrange('UPDATE bundle SET day = day + 100000');
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

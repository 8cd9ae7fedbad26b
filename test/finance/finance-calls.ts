import type supertest from 'supertest';
import type { Login, TestApp } from '../support/test-app.js';

/** A POST by Finance under /Api. Without a body, none is sent. */
export function postAs(app: TestApp, login: Login, path: string, body?: object): supertest.Test {
  const request = app
    .http()
    .post(`/Api/${path}`)
    .auth(...login);
  return body === undefined ? request : request.send(body);
}

/** An entry of the audit trail, as the database has it. */
export type AuditRow = readonly [actor: string, action: string, subject: string, details: object];

/** The entries that `work` adds to the audit trail, readings left out, the oldest first. */
export async function changesRecordedBy(app: TestApp, work: () => PromiseLike<unknown>): Promise<AuditRow[]> {
  const [before] = await app.database.query<{ id: number }>('SELECT COALESCE(max(id), 0) AS id FROM audit_entry');
  await work();
  const rows = await app.database.query<{ actor: string; action: string; subject: string; details: object }>(
    `SELECT actor, action, subject, details FROM audit_entry WHERE id > $1 AND NOT details ? 'peopleIds' ORDER BY id`,
    [before?.id],
  );
  return rows.map(({ actor, action, subject, details }) => [actor, action, subject, details]);
}

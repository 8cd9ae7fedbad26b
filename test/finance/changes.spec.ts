import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../src/parts.js';
import { type Login, startTestApp, type TestApp } from '../support/test-app.js';
import { postAs } from './finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import { giver } from '../contract/givers.js';

let service: TestApp;
let finance: Login;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  finance = await service.createUser('treasurer', 'some long password', ['Finance']);
});
afterAll(() => service.stop());

interface Entry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly meaning: string;
  readonly subject: string;
  readonly details: object;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next: number | null;
}

async function list(query = ''): Promise<Page> {
  return (await service.get(`Audit${query}`, finance).expect(200)).body as Page;
}

describe('the list of changes', () => {
  it('has the newest entries first, each with its action in words', async () => {
    await postAs(service, finance, 'Funds/1/close').expect(200);
    await postAs(service, finance, 'Funds/1/open').expect(200);
    const { entries } = await list();
    expect(entries.slice(0, 2)).toEqual([
      {
        ...{ id: expect.any(Number), at: expect.any(String), actor: 'treasurer', via: 'api' },
        ...{ action: 'fund.open', meaning: 'opened a closed fund', subject: 'fund 1', details: {} },
      },
      expect.objectContaining({ action: 'fund.close', meaning: 'closed a fund' }),
    ]);
  });

  it('can be filtered by actor, action, subject and readings', async () => {
    const { PeopleId } = await addedGift(service, giver());
    await service.get(`People/${PeopleId}`, finance).expect(200);
    const all = await list(`?subject=person%20${PeopleId}`);
    expect(all.entries.map(({ action }) => action)).toEqual(['person.read']);
    expect((await list(`?subject=person%20${PeopleId}&readings=false`)).entries).toEqual([]);
    expect((await list('?action=fund.close')).entries).toMatchObject([{ subject: 'fund 1' }]);
    expect((await list('?actor=treasurer&action=fund.open')).entries).toHaveLength(1);
    expect(await list('?actor=nobody')).toEqual({ entries: [], next: null });
    expect((await list('?action=user.create')).entries[0]).toMatchObject({ subject: 'user treasurer' });
  });

  it('can be filtered by days in church time, both included', async () => {
    await service.database.query(`
      INSERT INTO audit_entry (at, actor, action, subject) VALUES
        ('2025-03-02T05:59:59Z', 'old', 'fund.close', 'fund 1'), ('2025-03-02T06:00:00Z', 'old', 'fund.open', 'fund 1'),
        ('2025-03-04T05:59:59Z', 'old', 'fund.close', 'fund 1'), ('2025-03-04T06:00:00Z', 'old', 'fund.open', 'fund 1')`);
    const found = await list('?actor=old&from=2025-03-02&to=2025-03-03');
    expect(found.entries.map(({ action }) => action)).toEqual(['fund.close', 'fund.open']);
    expect((await list('?actor=old&from=2025-03-04')).entries).toHaveLength(1);
    expect((await list('?actor=old&to=2025-03-01')).entries).toHaveLength(1);
  });

  it('has pages that neither repeat nor leave out an entry while others are added', async () => {
    await service.database.query(`
      INSERT INTO audit_entry (actor, action, subject) SELECT 'many', 'fund.close', 'fund ' || n FROM generate_series(1, 450) n`);
    const subjects: string[] = [];
    for (let before: number | null = 0; before !== null;) {
      const page: Page = await list(`?actor=many${before === 0 ? '' : `&before=${before}`}`);
      subjects.push(...page.entries.map(({ subject }) => subject));
      before = page.next;
      await service.database.query(
        `INSERT INTO audit_entry (actor, action, subject) VALUES ('many', 'fund.open', 'fund 0')`,
      );
    }
    expect(subjects).toEqual(Array.from({ length: 450 }, (_, i) => `fund ${450 - i}`));
  });

  it.each(['?from=2025-02-30', '?to=yesterday', '?before=0', '?readings=maybe', '?actor=', '?action=%00'])(
    'refuses %s',
    async (query) => {
      expect((await service.get(`Audit${query}`, finance).expect(400)).body).toMatchObject({ code: 'invalid_request' });
    },
  );

  it('shows an action that no part declares any more in the words of its name', async () => {
    await service.database.query(
      `INSERT INTO audit_entry (actor, action, subject) VALUES ('ancient', 'pew.re-let', 'pew 7')`,
    );
    expect((await list('?actor=ancient')).entries).toMatchObject([{ meaning: 'pew: re let' }]);
  });

  it('is for Finance only, and itself leaves no entry', async () => {
    await service.get('Audit').expect(403);
    const before = (await list()).entries[0]?.id;
    expect((await list()).entries[0]?.id).toBe(before);
  });

  it('has words for every action of the parts', async () => {
    await service.database.query(
      `INSERT INTO audit_entry (actor, action, subject) SELECT 'all', unnest($1::text[]), 'x 1'`,
      [AUDIT_ACTIONS],
    );
    const { entries } = await list('?actor=all');
    expect(entries).toHaveLength(AUDIT_ACTIONS.length);
    for (const { action, meaning } of entries) expect([action, meaning.includes(':')]).toEqual([action, false]);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsServer } from '../../src/metrics/index.js';
import { addedGift } from '../contract/gift-requests.js';
import { holdLock } from '../support/held-lock.js';
import { growth, type Scrape, scrape } from '../support/scrape.js';
import { gift, type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { execute, withDatabaseName } from '../support/test-server.mjs';
import { until } from '../support/until.js';
import { DepositCalls, unique } from './deposit-calls.js';

const ANYWHERE = { port: 0, host: '127.0.0.1', names: [] };

let service: TestApp;
let url: string;

beforeAll(async () => {
  service = await startTestApp({ FINANCE_EMAILS: 'finance@example.org' }, { workers: true });
  url = (await service.app.get(MetricsServer).start(ANYWHERE)) ?? '';
});
afterAll(() => service.stop());

/** What `work` adds to the counters. */
async function countedBy(work: () => PromiseLike<unknown>): Promise<Scrape> {
  const before = await scrape(url);
  await work();
  return growth(before, await scrape(url));
}

/** Waits until all notices of reversals are sent and counted. @returns the figures at that time. */
async function untilNotified(): Promise<Scrape> {
  let figures: Scrape = {};
  await until(async () => {
    figures = await scrape(url);
    const waiting = ['offertory_deliveries{status="pending"}', 'offertory_notices_without_recipient'];
    return (
      waiting.every((name) => figures[name] === 0) &&
      figures['offertory_deliveries{status="sent"}'] === figures['offertory_delivery_tries_total{outcome="sent"}']
    );
  });
  return figures;
}

describe('/metrics', () => {
  it('is served on its own port and not on that of the API', async () => {
    await service.http().get('/metrics').expect(404);
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(url.replace('/metrics', '/Api/Reviews'))).status).toBe(404);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });

  it('counts requests and measures their duration by route and status', async () => {
    const before = await scrape(url);
    const { ContributionId } = await addedGift(service, {});
    await service.read(ContributionId).expect(200);
    await service.read('2000000001').expect(404);
    await service.http().get('/wp-admin.php').expect(404);
    const after = await scrape(url);
    const more = (labels: string, what = 'count'): number => {
      const name = `offertory_http_request_seconds_${what}{${labels}}`;
      return (after[name] ?? 0) - (before[name] ?? 0);
    };
    expect(more('method="POST",route="/Api/AddContribution",status="200"')).toBe(1);
    expect(more('method="POST",route="/Api/AddContribution",status="200"', 'sum')).toBeGreaterThan(0);
    expect(more('method="GET",route="/Api/Contributions/:id",status="200"')).toBe(1);
    expect(more('method="GET",route="/Api/Contributions/:id",status="404"')).toBe(1);
    expect(more('method="any",route="unmatched",status="404"')).toBe(1);
    expect(
      after['offertory_http_request_seconds_bucket{le="10",method="GET",route="/Api/Contributions/:id",status="200"}'],
    ).toBe(1);
  });

  it('counts refusals by code and user, without names sent by unknown users', async () => {
    const reader: Login = await service.createUser('reader', 'some long password', ['Developer']);
    const counted = await countedBy(async () => {
      await service.add({ Amount: '0' }).expect(400);
      await service.add({}, reader).expect(403);
      await service.add({}, ['mallory"} 1', 'guessed wrong']).expect(401);
      await service.add({}, ['reader', 'guessed wrong']).expect(401);
    });
    expect(counted).toEqual({
      'offertory_refusals_total{code="invalid_request",user="api"}': 1,
      'offertory_refusals_total{code="forbidden",user="reader"}': 1,
      'offertory_refusals_total{code="unauthenticated",user=""}': 2,
    });
    expect(JSON.stringify(await scrape(url))).not.toContain('mallory');
  });

  it('exposes zero faults from the start, so that the first one is visible', async () => {
    expect((await scrape(url))['offertory_faults_total']).toBe(0);
  });

  it('counts gifts, amounts and matches by type when they are committed', async () => {
    const giver = gift('counted', { Amount: '12.50' });
    const counted = await countedBy(async () => {
      const { PeopleId } = await addedGift(service, giver);
      await service.add({ ...giver, ContributionTypeId: 9 }).expect(200);
      await service.add({ ...giver, PeopleId }).expect(200);
    });
    expect(counted).toEqual({
      'offertory_gifts_total{type="Regular"}': 2,
      'offertory_gifts_total{type="NonTaxDed"}': 1,
      'offertory_gift_amount_total{type="Regular",currency="USD"}': 25,
      'offertory_gift_amount_total{type="NonTaxDed",currency="USD"}': 12.5,
      'offertory_matches_total{outcome="created"}': 1,
      'offertory_matches_total{outcome="matched"}': 1,
      'offertory_matches_total{outcome="by_id"}': 1,
    });
  });

  it('counts a reversal by the type of its gift and the amount taken back, once', async () => {
    const { ContributionId } = await addedGift(service, { ContributionTypeId: 20, Amount: '7' });
    const path = `${ContributionId}/counted`;
    const counted = await countedBy(async () => {
      await service.reverse(`${path}?amount=2.5`).expect(200);
      await service.reverse(path).set('Idempotency-Key', 'once').expect(200);
      await service.reverse(path).set('Idempotency-Key', 'once').expect(200);
      await service.reverse(path).expect(409);
    });
    expect(counted).toMatchObject({
      'offertory_reversals_total{type="Stock"}': 2,
      'offertory_reversed_amount_total{type="Stock",currency="USD"}': 7,
      'offertory_refusals_total{code="already_reversed",user="api"}': 1,
    });
    // Otherwise the notice would be counted in the next test.
    await untilNotified();
  });

  it('does not count replays, dry runs and refused gifts', async () => {
    const fields = gift('replayed', { Source: 'kiosk', TransactionId: '4711' });
    await service.add(fields).set('Idempotency-Key', 'first').expect(200);
    const counted = await countedBy(async () => {
      await service.add(fields).set('Idempotency-Key', 'first').expect(200);
      await service.add(fields).expect(200);
      await service.add().query({ dryRun: 'true' }).expect(200);
      await service.add({ FundId: 4711 }).expect(422);
    });
    expect(counted).toEqual({ 'offertory_refusals_total{code="fund_not_found",user="api"}': 1 });
  });

  it('counts a gift once whose transaction took two attempts', async () => {
    // A sequence is not rolled back, so the second attempt succeeds.
    await service.database.query(`
      CREATE SEQUENCE attempt;
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempt') = 1 THEN RAISE 'conflict' USING ERRCODE = 'serialization_failure'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail_once AFTER INSERT ON contribution FOR EACH ROW EXECUTE FUNCTION fail_once()`);
    const counted = await countedBy(() => service.add().expect(200));
    const [attempts] = await service.database.query('SELECT last_value::int AS count FROM attempt');
    await service.database.query('DROP FUNCTION fail_once CASCADE; DROP SEQUENCE attempt');
    expect(attempts).toEqual({ count: 2 });
    expect(counted).toMatchObject({ 'offertory_gifts_total{type="Regular"}': 1 });
  });

  it('exposes deliveries, attempts to send them, and the queue', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.reverse(`${ContributionId}/told`).expect(200);
    const figures = await untilNotified();
    expect(figures['offertory_deliveries{status="sent"}']).toBe(3);
    expect(figures['offertory_deliveries{status="failed"}']).toBe(0);
    expect(figures['offertory_delivery_oldest_pending_seconds']).toBe(0);
    await service.database.query(
      `UPDATE delivery SET status = 'failed', sent_at = NULL WHERE id = (SELECT max(id) FROM delivery)`,
    );
    await service.database.query(
      `INSERT INTO job (queue, due_at) VALUES ('notify-finance', now() + interval '1 hour')`,
    );
    const changed = await scrape(url);
    expect(changed['offertory_deliveries{status="failed"}']).toBe(1);
    expect(changed['offertory_queue_jobs{queue="notify-finance",state="later"}']).toBe(1);
    expect(changed['offertory_queue_jobs{queue="send-delivery",state="due"}']).toBe(0);
    expect(changed['offertory_queue_oldest_due_seconds{queue="send-delivery"}']).toBe(0);
  });

  it('exposes the deposits by status', async () => {
    const counts = async (): Promise<(number | undefined)[]> => {
      const figures = await scrape(url);
      return ['open', 'differs', 'matches', 'reconciled'].map(
        (status) => figures[`offertory_deposits{status="${status}"}`],
      );
    };
    expect(await counts()).toEqual([0, 0, 0, 0]);
    const calls = new DepositCalls(service, await service.createUser('deposits', 'some long password', ['Finance']));
    const [one = 0, two = 0] = await calls.gifts('11', '12');
    await calls.accepted({ Items: [{ TransactionId: unique('none') }], Amount: '0' });
    await calls.sent([one], { Amount: '10.99' });
    const { id } = await calls.sent([two]);
    expect(await counts()).toEqual([1, 2, 0, 0]);
    await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '12' }).expect(200);
    expect(await counts()).toEqual([0, 2, 1, 0]);
    await calls.post(`Deposits/${id}/reconcile`).expect(200);
    expect(await counts()).toEqual([0, 2, 0, 1]);
  });

  it('exposes connections, password checks and the process itself', async () => {
    const figures = await scrape(url);
    expect(figures['offertory_database_connections{state="most"}']).toBe(10);
    expect(figures['offertory_database_connections_awaited']).toBe(0);
    expect(figures['offertory_password_check_seconds_count']).toBeGreaterThan(0);
    expect(figures['offertory_password_checks_waiting']).toBe(0);
    expect(figures['process_resident_memory_bytes']).toBeGreaterThan(0);
    expect(figures['offertory_figures_missing{source="deliveries"}']).toBe(0);
  });

  it('exposes only figures that docs/operating.md explains', async () => {
    const text = await (await fetch(url)).text();
    const names = [...text.matchAll(/^# TYPE (offertory_\w+) /gm)].map(([, name = '']) => name);
    const document = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });

  it('keeps the figures of two services in one process apart', async () => {
    const other = await startTestApp();
    try {
      const figures = await scrape((await other.app.get(MetricsServer).start(ANYWHERE)) ?? '');
      expect(Object.keys(figures).filter((name) => name.startsWith('offertory_gifts_total'))).toEqual([]);
      expect(await countedBy(() => other.createUser('elsewhere', 'some long password', ROLES))).toEqual({});
    } finally {
      await other.stop();
    }
  });
});

describe('/metrics of a database that does not answer', () => {
  it('omits figures after two seconds of waiting for the database, and exposes them again later', async () => {
    const lock = await holdLock(service.database.url, 'LOCK TABLE delivery IN ACCESS EXCLUSIVE MODE', []);
    try {
      const begin = performance.now();
      const figures = await scrape(url);
      expect(performance.now() - begin).toBeLessThan(4_000);
      expect(figures['offertory_figures_missing{source="deliveries"}']).toBe(1);
      expect(
        Object.keys(figures).filter((name) => /^offertory_(deliveries|delivery_oldest|notices)/.test(name)),
      ).toEqual([]);
      expect(figures['offertory_figures_missing{source="queue"}']).toBe(0);
    } finally {
      await lock.release();
    }
    await until(async () => (await scrape(url))['offertory_figures_missing{source="deliveries"}'] === 0);
  });

  it('exposes all other figures when the database is unavailable', async () => {
    const name = new URL(service.database.url).pathname.slice(1);
    const server = withDatabaseName(service.database.url, 'postgres');
    await execute(
      server,
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    const figures = await scrape(url);
    expect(figures['offertory_figures_missing{source="deliveries"}']).toBe(1);
    expect(figures['offertory_figures_missing{source="queue"}']).toBe(1);
    expect(figures['offertory_gifts_total{type="Regular"}']).toBeGreaterThan(0);
    await execute(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(async () => (await scrape(url))['offertory_figures_missing{source="queue"}'] === 0);
  });
});

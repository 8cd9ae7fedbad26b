import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ParsedMail, simpleParser } from 'mailparser';
import { Client } from 'pg';
import type { SMTPServerOptions } from 'smtp-server';
import { AuditModule } from '../../src/audit/index.js';
import { ConfigModule, readConfiguration } from '../../src/config/index.js';
import { ContributionReversed } from '../../src/contributions/events/index.js';
import { DatabaseModule, TransactionalEvents, Transactions } from '../../src/database/index.js';
import { ENTITIES } from '../../src/parts.js';
import { HealthModule, HealthWarnings } from '../../src/health/index.js';
import { JOB_PACE, type JobPace, JobQueue, SERVICE_PACE } from '../../src/jobs/index.js';
import { MetricsModule } from '../../src/metrics/index.js';
import { NotificationsModule } from '../../src/notifications/index.js';
import { IMPATIENT_PACE, QUICK_PACE } from '../support/job-pace.js';
import { keptLogger } from '../support/kept-logs.js';
import { type MailServer, refusal, startMailServer } from '../support/mail-server.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

/** The tested columns of a delivery. */
interface DeliveryRow {
  readonly recipient: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

describe('the notice of a reversal', () => {
  let database: TestDatabase;
  let dataDir: string;
  const logged: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  const logger = keptLogger((message) => logged.push(message));

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
      INSERT INTO app_user (username, password_hash) VALUES ('api', 'none');
      INSERT INTO person (first_name, last_name, email, phone) VALUES ('John', 'Appleseed', 'j@example.org', '');
      INSERT INTO bundle (bundle_type_id, user_id, day) VALUES (4, 1, '2026-07-26');`);
  });
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'offertory-notices-'));
    logged.length = 0;
    await database.query(`
      DELETE FROM job; DELETE FROM kept.job; DELETE FROM delivery; DELETE FROM notice;
      DELETE FROM contribution WHERE reverses_id IS NOT NULL; DELETE FROM contribution;
      DELETE FROM app_user_role; DELETE FROM app_user WHERE username <> 'api'`);
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
    rmSync(dataDir, { recursive: true, force: true });
  });
  afterAll(async () => {
    await database.drop();
  });

  async function start(environment: Record<string, string>, pace: JobPace = QUICK_PACE): Promise<TestingModule> {
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(
          readConfiguration({ DATABASE_URL: database.url, ...environment }, { defaultDataDir: dataDir }),
        ),
        MetricsModule,
        DatabaseModule.forRoot(database.connection, 5, ENTITIES),
        EventEmitterModule.forRoot(),
        HealthModule,
        AuditModule.forRoot('a test'),
        NotificationsModule,
      ],
    })
      .overrideProvider(JOB_PACE)
      .useValue(pace)
      .setLogger(logger)
      .compile();
    await module.init();
    closing.push(async () => {
      await module.get(JobQueue).stop();
      await module.close();
    });
    module.get(JobQueue).startWorking();
    return module;
  }

  /** Stores a gift and its reversing entry, and publishes the event in the same transaction; `fail` rolls it back. */
  async function reverse(module: TestingModule, options: { fail?: boolean } = {}): Promise<ContributionReversed> {
    const [gift] = await database.query<{ id: number }>(`
      INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
        giver_first, giver_last, giver_email, giver_phone, created_by)
      SELECT max(id), 10, 'USD', now(), '2026-07-26', 1, 1, 1, 'John', 'Appleseed', 'j@example.org', '', 1 FROM person
      RETURNING id`);
    const id = gift?.id ?? 0;
    return await module.get(Transactions).run(async (tx) => {
      const [entry] = await tx.query<{ id: number }[]>(
        `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id,
           contribution_type_id, reverses_id, created_by)
         SELECT max(id), -10, 'USD', now(), '2026-07-26', 1, 1, 7, $1, 1 FROM person RETURNING id`,
        [id],
      );
      const event = new ContributionReversed({
        eventId: randomUUID(),
        contributionId: id,
        reversingContributionId: entry?.id ?? 0,
        giver: { peopleId: 1, first: 'John', last: 'Appleseed' },
        ...{ amount: '10.00', left: '0.00', isPartial: false, currency: 'USD', reason: null, entries: [] },
        ...{ fund: { id: 1, name: 'General' }, day: '2026-07-26' },
        ...{ source: 'txt2give', addedBy: 'api', username: 'api', reversedAt: new Date().toISOString() },
      });
      await module.get(TransactionalEvents).publish(event, tx);
      if (options.fail === true) throw new Error('rolled back');
      return event;
    });
  }

  async function startSmtp(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = await startMailServer(options);
    closing.push(() => server.stop());
    return server;
  }

  async function deliveries(): Promise<DeliveryRow[]> {
    return await database.query<DeliveryRow>(
      'SELECT recipient, status, attempts, last_error FROM delivery ORDER BY recipient',
    );
  }

  const addresses = (mails: readonly ParsedMail[]): unknown[] =>
    mails.map(({ to }) => (Array.isArray(to) ? to.map(({ text }) => text) : to?.text)).sort();

  async function addFinanceUser(username: string, email: string, active = true, role = 'Finance'): Promise<void> {
    await database.query(
      `WITH added AS (
         INSERT INTO app_user (username, password_hash, email, active) VALUES ($1, 'none', $2, $3) RETURNING id)
       INSERT INTO app_user_role (user_id, role_id)
       SELECT added.id, role.id FROM added, role WHERE role.name = $4`,
      [username, email, active, role],
    );
  }

  it('reaches every Finance user and address once, within ten seconds', async () => {
    await addFinanceUser('treasurer', 'Treasurer@Example.org');
    await addFinanceUser('former', 'former@example.org', false);
    await addFinanceUser('auditor', 'auditor@example.org', true, 'Auditor');
    const { url, mails } = await startSmtp();
    const module = await start(
      {
        SMTP_URL: url,
        FINANCE_EMAILS: 'treasurer@example.org,office@example.org',
        MAIL_FROM: 'Grace <gifts@example.org>',
      },
      SERVICE_PACE,
    );
    const begun = Date.now();
    const event = await reverse(module);
    await until(async () => (await deliveries()).filter(({ status }) => status === 'sent').length === 2);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(addresses(mails)).toEqual(['office@example.org', 'treasurer@example.org']);
    expect(mails[0]?.from?.text).toBe('"Grace" <gifts@example.org>');
    expect(mails[0]?.subject).toBe(`[Offertory] Gift ${event.contributionId} reversed: USD 10.00 (txt2give)`);
    expect(mails[0]?.text).toContain('John Appleseed (PeopleId 1)');
    expect(mails.map(({ messageId }) => messageId?.startsWith(`<reversal.${event.eventId}.`))).toEqual([true, true]);
    expect(await deliveries()).toMatchObject([
      { recipient: 'office@example.org', status: 'sent', attempts: 1, last_error: null },
      { recipient: 'treasurer@example.org', status: 'sent', attempts: 1, last_error: null },
    ]);
    expect(logged.join('\n')).not.toMatch(/example\.org|Appleseed/);
  });

  it('is not written for a reversal that was rolled back', async () => {
    const module = await start({ FINANCE_EMAILS: 'office@example.org' });
    await expect(reverse(module, { fail: true })).rejects.toThrow('rolled back');
    expect(await database.query('SELECT FROM notice')).toHaveLength(0);
    expect(await database.query('SELECT FROM kept.job WHERE every_seconds IS NULL')).toHaveLength(0);
  });

  it('keeps personal data out of the queue', async () => {
    const module = await start({ FINANCE_EMAILS: 'office@example.org' });
    await reverse(module);
    await until(async () => (await deliveries())[0]?.status === 'sent');
    const jobs = await database.query<{ job: string }>('SELECT job::text FROM kept.job WHERE every_seconds IS NULL');
    expect(jobs).toHaveLength(2);
    expect(JSON.stringify(jobs)).not.toMatch(/Appleseed|example\.org/);
  });

  it('is written to a file when no SMTP server is set', async () => {
    const module = await start({ FINANCE_EMAILS: 'office@example.org' });
    const { eventId } = await reverse(module);
    await until(async () => (await deliveries())[0]?.status === 'sent');
    expect(readdirSync(join(dataDir, 'mail'))).toEqual([expect.stringContaining(`reversal.${eventId}.`)]);
    expect(logged).toContainEqual(expect.stringContaining(join(dataDir, 'mail')));
  });

  it('waits for a recipient when there is none, and goes out when one is added', async () => {
    const { url, mails } = await startSmtp();
    const module = await start({ SMTP_URL: url });
    const { contributionId } = await reverse(module);
    await until(() => logged.some((line) => line.includes(`contribution ${contributionId} `)));
    const warning = logged.find((line) => line.includes(`contribution ${contributionId} `));
    expect(warning).toMatch(/role Finance .* or set FINANCE_EMAILS/);
    expect(await module.get(HealthWarnings).current()).toEqual([
      expect.stringContaining('No one is notified of reversals'),
    ]);
    await addFinanceUser('treasurer', 'treasurer@example.org');
    expect(await module.get(HealthWarnings).current()).toEqual([]);
    // As if a minute had passed.
    await database.query(`UPDATE job SET due_at = due_at - interval '1 minute' WHERE queue = 'notify-finance'`);
    await until(() => mails.length === 1);
    expect(addresses(mails)).toEqual(['treasurer@example.org']);
  });

  it('is retried with the same Message-ID until the server accepts it', async () => {
    let tries = 0;
    const received: (string | undefined)[] = [];
    const { url } = await startSmtp({
      onData: (stream, _session, done) => {
        simpleParser(stream).then(({ messageId }) => {
          received.push(messageId);
          done(++tries === 1 ? refusal(451, 'try again later') : null);
        }, done);
      },
    });
    const module = await start({ SMTP_URL: url, FINANCE_EMAILS: 'office@example.org' });
    await reverse(module);
    await until(async () => (await deliveries())[0]?.attempts === 1);
    expect(await deliveries()).toMatchObject([
      { status: 'pending', last_error: expect.stringContaining('451 try again later') },
    ]);
    expect(await module.get(HealthWarnings).current()).toEqual([expect.stringContaining('tried again: 1')]);
    await database.query(`UPDATE job SET due_at = now() WHERE queue = 'send-delivery'`);
    await until(async () => (await deliveries())[0]?.status === 'sent');
    expect(await deliveries()).toMatchObject([{ attempts: 2, last_error: null }]);
    expect(new Set(received).size).toBe(1);
    expect(received).toHaveLength(2);
  });

  it('reaches the other recipients when one is refused permanently', async () => {
    const { url, mails } = await startSmtp({
      onRcptTo: ({ address }, _session, done) => {
        done(address.startsWith('gone') ? refusal(550, '5.1.1 no such user') : null);
      },
    });
    const module = await start({ SMTP_URL: url, FINANCE_EMAILS: 'gone@example.org,office@example.org' });
    const { contributionId } = await reverse(module);
    await until(async () => (await deliveries()).every(({ status }) => status !== 'pending') && mails.length === 1);
    expect(await deliveries()).toMatchObject([
      { recipient: 'gone@example.org', status: 'failed', last_error: expect.stringContaining('550 5.1.1') },
      { recipient: 'office@example.org', status: 'sent' },
    ]);
    expect(logged).toContainEqual(expect.stringMatching(new RegExp(`contribution ${contributionId}, is given up`)));
  });

  it('is kept as failed after three days of attempts', async () => {
    const { url } = await startSmtp({
      onMailFrom: (_address, _session, done) => {
        done(refusal(550, 'not you'));
      },
    });
    const module = await start({ SMTP_URL: url, FINANCE_EMAILS: 'office@example.org' });
    await reverse(module);
    await until(async () => (await deliveries())[0]?.attempts === 1);
    await database.query(`UPDATE delivery SET attempts = 80, created_at = created_at - interval '3 days'`);
    await database.query(`UPDATE job SET due_at = now() WHERE queue = 'send-delivery'`);
    await until(async () => (await deliveries())[0]?.status === 'failed');
    expect(await deliveries()).toMatchObject([{ attempts: 81, last_error: expect.stringContaining('not you') }]);
    expect(await database.query('SELECT FROM job WHERE every_seconds IS NULL')).toHaveLength(0);
  });

  it('is sent after a restart when the process stops while sending', async () => {
    let hang = true;
    const { url, mails } = await startSmtp({
      onMailFrom: (_address, _session, done) => {
        if (!hang) done();
      },
    });
    const environment = { SMTP_URL: url, FINANCE_EMAILS: 'office@example.org' };
    const module = await start(environment, IMPATIENT_PACE);
    await reverse(module);
    await until(async () => (await deliveries()).length === 1);
    await until(
      async () =>
        (await database.query(`SELECT FROM job WHERE queue = 'send-delivery' AND leased_until IS NOT NULL`)).length ===
        1,
    );
    const begun = Date.now();
    await module.get(JobQueue).stop();
    expect(Date.now() - begun).toBeLessThan(2_800);
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    hang = false;
    await start(environment);
    await until(() => mails.length === 1);
  });

  it('is sent once although the database does not answer during sending', async () => {
    const client = new Client(database.connection.url);
    await client.connect();
    closing.push(() => client.end());
    const { url, mails } = await startSmtp({
      onMailFrom: (_address, _session, done) => {
        void client.query('BEGIN; LOCK TABLE delivery').then(() => {
          done();
        });
      },
    });
    const module = await start({ SMTP_URL: url, FINANCE_EMAILS: 'office@example.org' });
    await reverse(module);
    await until(() => mails.length === 1);
    // Longer than a statement may wait for a lock.
    await sleep(5_000);
    await client.query('COMMIT');
    await until(async () => (await deliveries())[0]?.status === 'sent');
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    expect(mails).toHaveLength(1);
  });

  it('uses no connection for requests while a mail server hangs', async () => {
    let hanging = 0;
    const { url } = await startSmtp({ onMailFrom: () => hanging++ });
    const many = Array.from({ length: 8 }, (_, index) => `office${index}@example.org`).join(',');
    const module = await start({ SMTP_URL: url, FINANCE_EMAILS: many }, IMPATIENT_PACE);
    await reverse(module);
    await until(() => hanging === 5);
    const busy = await database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'offertory%' AND state LIKE 'idle in transaction%'`,
    );
    expect(busy).toHaveLength(0);
    const ones = await Promise.all(
      Array.from({ length: 5 }, () => module.get(Transactions).run((tx) => tx.query('SELECT 1'))),
    );
    expect(ones).toHaveLength(5);
  });
});

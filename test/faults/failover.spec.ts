import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, Client, untilAnswered } from '../support/client.js';
import { type Forwarder, startForwarder } from '../support/forwarder.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { booksOf, ListReader } from '../support/list-reader.js';
import { Load } from '../support/load.js';
import { findPostgresPrograms } from '../support/postgres-programs.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createApiUser, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { type Standby, startStandby } from '../support/standby.js';
import { gift, type Login } from '../support/test-app.js';

const LOGIN: Login = ['api', 'the standby takes over'];
const CHANGES = 'updatedSince=1900-01-01';
const LIST = 'from=1900-01-01';
const TIME_LIMIT = 300_000;

const programs = findPostgresPrograms();
let primary: PrivatePostgres;
let standby: Standby;
let address: Forwarder;
let replicas: ServiceProcess[];
let urls: string[];

const needsPrograms = programs === undefined ? describe.skip : describe;
needsPrograms('a standby that takes over (skipped only without pg_basebackup)', () => {
  beforeEach(async () => {
    primary = await startPrivatePostgres(programs);
    address = await startForwarder(primary.place.port);
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${address.port}/postgres`;
    await createApiUser({ DATABASE_URL }, LOGIN[1]);
    standby = await startStandby(primary);
    replicas = await Promise.all([0, 1].map(() => startServiceProcess({ DATABASE_URL })));
    urls = replicas.map(({ url }) => url);
  }, TIME_LIMIT);
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
    await address.close();
    standby.destroy();
    primary.destroy();
  });

  const call = (make: (client: Client) => Promise<Answer>): Promise<Answer> =>
    untilAnswered((attempt) => make(new Client(urls[attempt % 2] ?? '', ...LOGIN)));
  const add = async (unique: string): Promise<{ id: number; person: number }> => {
    const { status, body } = await call((client) => client.add(gift(unique), `key ${unique}`));
    expect({ status, body }).toMatchObject({ status: 200 });
    return { id: Number(body['ContributionId']), person: Number(body['PeopleId']) };
  };
  const readers = async (...queries: string[]): Promise<ListReader[]> => {
    const all = queries.map((query) => new ListReader(urls, LOGIN, query));
    for (const reader of all) await reader.readOn();
    return all;
  };
  /** Stops the primary, promotes the standby and sends its address there. */
  const failOver = (mode: 'fast' | 'immediate'): void => {
    primary.stop(mode);
    standby.promote();
    address.to(standby.place.port);
  };
  const epochs = (): Promise<{ reason: string }[]> =>
    standby.query<{ reason: string }>('SELECT reason FROM books_epoch ORDER BY number');

  it(
    'and lags repeats no id, refuses lost positions and accepts earlier ones, and readers end with the same books',
    async () => {
      const kept = [await add('kept1'), await add('kept2'), await add('kept3')];
      expect((await call((client) => client.reverse(kept[0]?.id ?? 0, 'x'))).status).toBe(200);
      const early = await readers(LIST, CHANGES);
      await standby.catchUp();
      await standby.detach();
      const lost = [await add('lost1'), await add('lost2'), await add('lost3')];
      expect((await call((client) => client.reverse(kept[1]?.id ?? 0, 'x'))).status).toBe(200);
      const late = await readers(LIST, CHANGES);
      failOver('immediate');

      // From many callers at once, so that both replicas open their connections together.
      const later = await Promise.all(Array.from({ length: 8 }, (_, index) => add(`later${index}`)));
      expect(await epochs()).toEqual([
        { reason: 'The first epoch' },
        { reason: 'Another server took over, or the server was recovered to a point in time' },
      ]);
      const highest = Math.max(...lost.map(({ id }) => id));
      for (const { id } of later) expect(id).toBeGreaterThan(highest + 50_000);
      const people = new Set([...kept, ...lost].map(({ person }) => person));
      for (const { person } of later) expect(people.has(person)).toBe(false);
      for (const { id } of lost) {
        const { status, body } = await call((client) => client.reverse(id, 'x'));
        expect({ status, code: body['code'] }).toEqual({ status: 404, code: 'contribution_not_found' });
      }

      for (const reader of early) {
        await reader.readOn();
        expect(reader.books).toEqual(await booksOf(standby));
      }
      for (const reader of late) {
        const { status, body } = await reader.ask();
        expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field: 'after' }] } });
      }
      // As the answer says: read changes since the time that it names, on top of the entries kept before it.
      const problem = (await late[1]?.ask())?.body;
      const [, since = ''] = /updatedSince=(\S+)\./.exec(String(problem?.['detail'])) ?? [];
      const again = (await readers(`updatedSince=${since}`))[0];
      const behind = early[1]?.copy();
      for (const view of again?.seen ?? []) behind?.kept.set(view.contributionId, view);
      expect(behind?.books).toEqual(await booksOf(standby));
      expect(again?.seen.map(({ contributionId }) => contributionId)).toEqual(
        expect.arrayContaining(later.map(({ id }) => id)),
      );
      await assertLedgerInvariants(standby);
    },
    TIME_LIMIT,
  );

  it(
    'with all data of the primary lets readers continue, and they miss nothing',
    async () => {
      const load = new Load({ name: 'before', login: LOGIN, urls, clients: 8 });
      await load.succeed(200);
      await load.stop();
      const all = await readers(LIST, CHANGES);
      await standby.catchUp();
      failOver('fast');
      const after = new Load({ name: 'after', login: LOGIN, urls, clients: 8 });
      for (let round = 0; round < 3; round++) {
        await after.succeed(50, 60_000);
        for (const reader of all) await reader.page();
      }
      await after.stop();
      expect(await epochs()).toHaveLength(2);
      const [list, changes] = all;
      await list?.readOn();
      await changes?.readOn();
      const books = await booksOf(standby);
      expect(changes?.books).toEqual(books);
      expect(list?.seen.map(({ contributionId }) => contributionId)).toEqual(books.map(({ id }) => id));
      await load.assertBooked(standby);
      await after.assertBooked(standby);
      await assertLedgerInvariants(standby);
    },
    TIME_LIMIT,
  );
});

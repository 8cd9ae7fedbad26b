import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from '../src/config/index.js';
import type { DatabaseClock, DatabaseHandle } from '../src/database/index.js';
import type { Program } from './program.js';

/** The users of the demo. Their passwords are made for each run. */
export const USERS = {
  'online-giving': ['Developer', 'APIOnly', 'APIWrite'],
  'text-to-give': ['Developer', 'APIOnly', 'APIWrite'],
  counters: ['Developer', 'APIOnly', 'APIWrite'],
  treasurer: ['Finance'],
  auditor: ['Auditor'],
} as const;

export type DemoUser = keyof typeof USERS;

/** The database already has gifts. */
export class BooksNotEmptyError extends Error {
  constructor(place: string) {
    super(
      `${place} already has gifts, so the demo does not touch it. To see the demo of last time again, start the service there; ` +
        'for a new one, delete the directory, or give another one with --directory.',
    );
  }
}

/** The whole service in this process, whose clock the demo sets. */
export class DemoChurch {
  private moment: Date | undefined;

  private constructor(
    private readonly app: NestExpressApplication,
    private readonly database: DatabaseHandle,
    readonly passwords: Readonly<Record<DemoUser, string>>,
  ) {}

  /** @throws BooksNotEmptyError */
  static async open(program: Program, configuration: Configuration, place: string): Promise<DemoChurch> {
    const silent = (): void => undefined;
    const database = await program.openConfiguredDatabase(configuration.database, silent);
    try {
      await program.migrateDatabase(database.ownerConnection, {
        actor: program.processActor('service'),
        mode: configuration.mode,
        service: { connection: database.connection, entities: program.ENTITIES },
        log: silent,
      });
      const module = program.AppModule.forRoot(configuration, database.connection);
      const options = { ...program.APP_OPTIONS, abortOnError: false };
      const adapter = new program.PrototypedExpressAdapter();
      const app = await NestFactory.create<NestExpressApplication>(module, adapter, options);
      try {
        program.setUpApp(app, configuration.http);
        await app.listen(0, '127.0.0.1');
        const [row] = await app.get(program.Transactions).query('SELECT FROM contribution LIMIT 1');
        if (row !== undefined) throw new BooksNotEmptyError(place);
        const church = new DemoChurch(app, database, await createUsers(program, app));
        church.setClock(app.get(program.DatabaseClock));
        app.get(program.JobQueue).startWorking();
        return church;
      } catch (error) {
        await app.close();
        throw error;
      }
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** What is recorded from now on is recorded at this moment. */
  travelTo(moment: Date): void {
    this.moment = moment;
  }

  /** Calls the API as a user. @throws Error for an answer that is not 2xx. */
  async call<Answer>(user: DemoUser, path: string, body?: object): Promise<Answer> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const credentials = Buffer.from(`${user}:${this.passwords[user]}`).toString('base64');
    const answer = await fetch(`http://127.0.0.1:${port}/Api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Basic ${credentials}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async close(program: Program): Promise<void> {
    await this.app.get(program.JobQueue).stop();
    await this.app.close();
    await this.database.close();
  }

  /** In place of the database's clock. Only what is recorded uses it; sessions and jobs go by the database. */
  private setClock(clock: DatabaseClock): void {
    const now = clock.now.bind(clock);
    clock.now = () => this.moment ?? now();
  }
}

async function createUsers(
  { generatePassword, UserAccounts }: Program,
  app: NestExpressApplication,
): Promise<Readonly<Record<DemoUser, string>>> {
  const passwords: Partial<Record<DemoUser, string>> = {};
  for (const [username, roles] of Object.entries(USERS)) {
    const password = generatePassword();
    const email = username === 'treasurer' ? 'treasurer@example.org' : undefined;
    await app.get(UserAccounts).create({ username, password, roles, email });
    passwords[username as DemoUser] = password;
  }
  return passwords as Record<DemoUser, string>;
}

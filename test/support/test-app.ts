import type { DynamicModule } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { makeDocument } from '../../src/api-document/document.js';
import { AppModule } from '../../src/app.module.js';
import { APP_OPTIONS, setUpApp } from '../../src/app.setup.js';
import { UserAccounts } from '../../src/auth/index.js';
import { Church, readConfiguration } from '../../src/config/index.js';
import { migrateDatabase } from '../../src/database/index.js';
import { PrototypedExpressAdapter } from '../../src/http/index.js';
import { JOB_PACE, type JobPace, JobQueue } from '../../src/jobs/index.js';
import { DocumentCheck } from './document-check.js';
import { watchExchanges } from './exchanges.js';
import { QUICK_PACE } from './job-pace.js';
import { keepJobsOf, keptLogger, noteCredentialsSentTo } from './kept-logs.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A username and a password. */
export type Login = readonly [username: string, password: string];

/** The whole service in this process, on its own port and its own database. */
export interface TestApp {
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly dataDir: string;
  /** The user "api" with the three roles. */
  readonly login: Login;
  /** Creates a user with these roles. */
  createUser(username: string, password: string, roles: readonly string[], email?: string): Promise<Login>;
  http(): ReturnType<typeof supertest>;
  /** AddContribution with the base gift and these fields; an undefined field is left out. */
  add(fields?: object, login?: Login): supertest.Test;
  reverse(path: string, login?: Login): supertest.Test;
  read(id: number | string, login?: Login): supertest.Test;
  /** GET of this path under /Api. */
  get(path: string, login?: Login): supertest.Test;
  /** Stops the service. @throws Error if a request or an answer did not match the API's document. */
  stop(): Promise<void>;
}

export const ROLES = ['Developer', 'APIOnly', 'APIWrite'];

const API: Login = ['api', 'correct horse battery'];

/** A complete gift; `unique` makes its giver a different person. */
export function gift(unique: string | number, fields: object = {}): Record<string, unknown> {
  return {
    First: `Ann${unique}`,
    Last: `Lee${unique}`,
    Email: `ann.${unique}@example.org`,
    Phone: '901-555-0101',
    Amount: '10',
    ...fields,
  };
}

/**
 * Starts the real AppModule as main.ts does. `workers` also processes the queue, at QUICK_PACE if no `pace` is given;
 * `modules` are added to those of AppModule.
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  options: { workers?: boolean; pace?: JobPace; database?: TestDatabase; modules?: readonly DynamicModule[] } = {},
): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'offertory-app-'));
  const configuration = readConfiguration(
    { DATABASE_URL: database.url, LOGIN_FAILURES_PER_MINUTE: '100000', ...environment },
    { defaultDataDir: dataDir },
  );
  const { mode } = configuration;
  if (mode === 'test' && options.database === undefined) await migrateDatabase(database.connection, { mode });
  const module = await Test.createTestingModule({
    imports: [AppModule.forRoot(configuration, database.connection), ...(options.modules ?? [])],
  })
    .overrideProvider(JOB_PACE)
    .useValue(options.pace ?? QUICK_PACE)
    .setLogger(keptLogger())
    .compile();
  const app = module.createNestApplication<NestExpressApplication>(new PrototypedExpressAdapter(), APP_OPTIONS);
  setUpApp(app, configuration.http);
  noteCredentialsSentTo(app.getHttpServer());
  const undocumented = undocumentedOf(app);
  await app.listen(0, '127.0.0.1');
  if (options.workers === true) app.get(JobQueue).startWorking();

  const users = app.get(UserAccounts);
  const createUser = async (
    username: string,
    password: string,
    roles: readonly string[],
    email?: string,
  ): Promise<Login> => {
    await users.create({ username, password, email, roles });
    return [username, password];
  };
  const login = options.database === undefined ? await createUser(...API, ROLES) : API;
  const http = (): ReturnType<typeof supertest> => supertest(app.getHttpServer());
  const get = (path: string, as = login): supertest.Test =>
    http()
      .get(`/Api/${path}`)
      .auth(...as);
  let count = 0;
  return {
    app,
    database,
    dataDir,
    login,
    createUser,
    http,
    add: (fields = {}, as = login) =>
      http()
        .post('/Api/AddContribution')
        .auth(...as)
        .send(gift(`app${++count}`, fields)),
    reverse: (path, as = login) =>
      http()
        .post(`/Api/ReverseContribution/${path}`)
        .auth(...as),
    read: (id, as) => get(`Contributions/${id}`, as),
    get,
    stop: async () => {
      await app.get(JobQueue).stop();
      await app.close();
      await keepJobsOf(database);
      if (options.database === undefined) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
      if (undocumented.size > 0) throw new Error(`Not as /openapi.json says:\n${[...undocumented].join('\n')}`);
    },
  };
}

function documentCheck(app: NestExpressApplication): DocumentCheck {
  const [modules, church] = [app.get(ModulesContainer), app.get(Church)];
  return new DocumentCheck(makeDocument(modules, church), makeDocument(modules, church, 'accepted'));
}

/** Compares accepted requests and all answers with the API's document. @returns the differences found so far. */
function undocumentedOf(app: NestExpressApplication): ReadonlySet<string> {
  const found = new Set<string>();
  let check: DocumentCheck | undefined;
  watchExchanges(app.getHttpServer(), (exchange) => {
    try {
      check ??= documentCheck(app);
      for (const fault of check.faults(exchange)) found.add(fault);
    } catch (error) {
      // An error thrown here would end the process without naming a test.
      found.add(`${exchange.method} ${exchange.url} could not be checked: ${String(error)}`);
    }
  });
  return found;
}

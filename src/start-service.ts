import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { APP_OPTIONS, setUpApp } from './app.setup.js';
import { processActor } from './audit/index.js';
import { UserAccounts } from './auth/index.js';
import type { Configuration } from './config/index.js';
import { migrateDatabase, type DatabaseHandle } from './database/index.js';
import { openConfiguredDatabase } from './embedded-postgres/index.js';
import { FaultWatch } from './doctor/index.js';
import { type FirstStart, greetFirstStart } from './first-start.js';
import { Readiness } from './health/index.js';
import { LastAnswers, PrototypedExpressAdapter } from './http/index.js';
import { JobQueue } from './jobs/index.js';
import { MetricsServer } from './metrics/index.js';
import { FinanceRecipients, mailDirectoryOf } from './notifications/index.js';
import { ENTITIES } from './parts.js';
import { RefoldPersons } from './people/index.js';
import { removeLeftDirectories } from './temporary-files/index.js';

/** How long requests in flight may take once the service accepts no more. */
const IN_FLIGHT_MS = 6_500;

/** A running service. */
export interface Service {
  /**
   * Makes readiness fail and goes on answering calls for DRAIN_SECONDS, so that load balancers send further ones elsewhere.
   * @param hurry ends that time early.
   */
  drain(hurry: Promise<void>): Promise<void>;
  /** Finishes requests in flight, stops the workers and closes the database. */
  stop(): Promise<void>;
}

/** Removes what an earlier process has left, opens the database, migrates it, listens and starts the workers of the queue. */
export async function startService(configuration: Configuration): Promise<Service> {
  const logger = new Logger('Service');
  const log = (message: string): void => {
    logger.log(message);
  };
  await removeLeftDirectories();
  const database = await openConfiguredDatabase(configuration.database, log);
  try {
    const { connection, ownerConnection } = database;
    const { applied } = await migrateDatabase(ownerConnection, {
      actor: processActor('service'),
      mode: configuration.mode,
      service: { connection, entities: ENTITIES },
      log,
    });
    if (applied.length > 0) log(`Applied ${applied.length} migrations.`);
    const { app, lastAnswers } = await listen(configuration, database);
    return {
      drain: async (hurry) => {
        const seconds = configuration.http.drainSeconds;
        app.get(Readiness).beginStopping();
        lastAnswers.begin();
        if (seconds === 0) return;
        log(`Stopping. Calls are accepted for ${seconds} more seconds`);
        await Promise.race([sleep(seconds * 1_000, undefined, { ref: false }), hurry]);
      },
      stop: () => stop(app, database),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The application, which listens, and its way to end its connections. */
interface Listening {
  readonly app: NestExpressApplication;
  readonly lastAnswers: LastAnswers;
}

async function listen(configuration: Configuration, database: DatabaseHandle): Promise<Listening> {
  const module = AppModule.forRoot(configuration, database.connection);
  const options = { ...APP_OPTIONS, abortOnError: false };
  const app = await NestFactory.create<NestExpressApplication>(module, new PrototypedExpressAdapter(), options);
  try {
    setUpApp(app, configuration.http);
    const lastAnswers = new LastAnswers(app.getHttpServer());
    await app.get(RefoldPersons).refoldAll();
    await app.get(MetricsServer).start(configuration.metrics);
    await app.listen(configuration.http.port, configuration.http.host);
    app.get(JobQueue).startWorking();
    const baseUrl = baseUrlOf(app, configuration);
    new Logger('Service').log(`Ready at ${baseUrl}/Api${configuration.mode === 'test' ? ', as a test system' : ''}`);
    await app.get(FaultWatch).start();
    await greet(app, configuration, { baseUrl, embedded: database.embedded });
    return { app, lastAnswers };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Greets, if it is the first start. The service answers calls by now, so a failure must not end it. */
async function greet(
  app: NestExpressApplication,
  configuration: Configuration,
  at: Pick<FirstStart, 'baseUrl' | 'embedded'>,
): Promise<void> {
  try {
    await greetFirstStart(app.get(UserAccounts), {
      ...at,
      mode: configuration.mode,
      mailDirectory: mailDirectoryOf(configuration),
      hasRecipients: (await app.get(FinanceRecipients).configured()).length > 0,
      stream: configuration.log.format === 'json' ? process.stderr : process.stdout,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    new Logger('Service').error(
      `It is not known whether there are users: ${reason}. "offertory user list" shows them, "offertory user create" adds one`,
    );
  }
}

/** Stops requests and workers first, then the pool, then the embedded server: each needs the next one until it ends. */
async function stop(app: NestExpressApplication, database: DatabaseHandle): Promise<void> {
  // At the same time, because each may take seconds. A request in flight can still queue a job.
  await Promise.all([close(app.getHttpServer()), app.get(JobQueue).stop()]);
  await app.close();
  await database.close();
}

/** Refuses new connections, and waits for the answers of requests in flight. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection becomes idle after its last answer, and would otherwise keep the server open.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const late = sleep(IN_FLIGHT_MS, undefined, { ref: false }).then(() => server.closeAllConnections());
  await Promise.race([closed, late]);
  clearInterval(sweep);
}

function baseUrlOf(app: NestExpressApplication, { http }: Configuration): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const everywhere = http.host === '0.0.0.0' || http.host === '::';
  const host = everywhere ? '127.0.0.1' : http.host.includes(':') ? `[${http.host}]` : http.host;
  return `http://${host}:${port}${http.basePath}`;
}

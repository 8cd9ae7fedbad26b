// npm run demo: a made-up church with 300 people and two years of gifts, to try the console with.
import { Logger } from '@nestjs/common';
import { Command } from 'commander';
import { DateTime } from 'luxon';
import { depositPayouts } from './deposits.js';
import { BooksNotEmptyError, DemoChurch } from './church.js';
import { addDoubtfulGifts, correctGifts } from './doubts.js';
import { fillChurch } from './fill.js';
import { startDemoMailServer } from './mail-server.js';
import { loadProgram } from './program.js';

const TIME_ZONE = 'America/Chicago';

/** A recipient whose mailbox is gone since today. Later notices to it are given up. */
const FORMER_ADDRESS = 'former.treasurer@example.org';

interface Options {
  readonly directory?: string;
  readonly database?: string;
  readonly port: string;
}

const program = await loadProgram();
const { directory, database, port } = new Command('demo')
  .description('starts a made-up church: 300 people, two years of gifts')
  .option('--directory <path>', 'where its database is; default: data-demo')
  .option('--database <url>', 'an empty PostgreSQL database, in place of the embedded one')
  .option('--port <port>', 'where the console is', '3000')
  .parse()
  .opts<Options>();
const place = directory ?? `${program.defaultDataDir(process.cwd())}-demo`;

const mailServer = await startDemoMailServer();
// Only these settings: those of an installation, in the environment or in .env, do not count.
const configuration = program.readConfiguration(
  {
    ...{ CHURCH_NAME: 'Grace Community Church', CHURCH_TIME_ZONE: TIME_ZONE, CHURCH_COUNTRY: 'US' },
    ...{ DATA_DIR: place, PORT: port, METRICS_PORT: 'off' },
    ...{ SMTP_URL: mailServer.url, MAIL_FROM: 'offertory@example.org', FINANCE_EMAILS: FORMER_ADDRESS },
    ...(database !== undefined && { DATABASE_URL: database }),
  },
  { defaultDataDir: place, startedByNpm: process.env['npm_lifecycle_event'] !== undefined },
);
Logger.overrideLogger(false);

try {
  const passwords = await fill();
  const service = await program.startService(configuration);
  greet(passwords);
  await program.stopRequests(configuration.startedByNpm).first;
  await service.stop();
  await mailServer.stop();
  process.exit(0);
} catch (error) {
  process.stderr.write(`The demo cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof BooksNotEmptyError ? 2 : 1);
}

async function fill(): Promise<DemoChurch['passwords']> {
  const church = await DemoChurch.open(program, configuration, database === undefined ? place : 'The database');
  try {
    process.stdout.write('Two years in a church of 300 people. This takes about half a minute.\n');
    let shown = 0;
    const books = await fillChurch(church, DateTime.now().setZone(TIME_ZONE), (percent) => {
      if (percent < shown + 10) return;
      shown = percent - (percent % 10);
      process.stdout.write(`${shown} %\n`);
    });
    mailServer.forget(FORMER_ADDRESS);
    await addDoubtfulGifts(church, books);
    await correctGifts(church, books);
    await depositPayouts(church);
    return church.passwords;
  } finally {
    await church.close(program);
  }
}

function greet({ treasurer, auditor }: DemoChurch['passwords']): void {
  process.stdout.write(
    [
      '',
      `The church is ready: http://127.0.0.1:${port}/console`,
      '',
      `  treasurer   ${treasurer}   does everything`,
      `  auditor     ${auditor}   sees everything, changes nothing`,
      '',
      `Everybody in it is made up, and no mail leaves this machine. To end it, press Ctrl+C; to delete it, delete ${place}.`,
      '',
    ].join('\n'),
  );
}

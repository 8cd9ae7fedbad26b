import { chmodSync, rmSync } from 'node:fs';
import type { BenchDatabases } from './databases.js';
import type { Extent } from './extent.js';
import { residentMb } from './process-figures.js';
import { runCommand, startService, temporaryDirectory } from './programs.js';
import { type Spread, spreadOf, spreadOfKnown } from './spread.js';

/** The figures of several starts of one kind. */
export interface StartFigures {
  readonly what: string;
  /** From the start of the process until it is ready, or until the end of a command. */
  readonly milliseconds: Spread;
  /** Memory of the ready Node process in MB; undefined for commands and if the system does not report it. */
  readonly residentMb: Spread | undefined;
}

interface Start {
  readonly milliseconds: number;
  readonly residentMb: number | undefined;
}

/** Measures the time until the service is ready, its memory then, and the time of commands. */
export async function start(
  databases: BenchDatabases,
  extent: Extent,
  log: (line: string) => void,
): Promise<StartFigures[]> {
  const { url } = await databases.create();
  const ofDatabase = { DATABASE_URL: url };
  const [server, first, second]: [Start[], Start[], Start[]] = [[], [], []];
  const [version, funds]: [number[], number[]] = [[], []];
  for (let round = 0; round < extent.starts; round++) {
    server.push(await startOnce(ofDatabase));
    version.push((await runCommand(['--version'], {})).milliseconds);
    funds.push((await runCommand(['fund', 'list'], ofDatabase)).milliseconds);
    const dataDir = embeddedDirectory();
    try {
      first.push(await startOnce({ DATA_DIR: dataDir }));
      second.push(await startOnce({ DATA_DIR: dataDir }));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
    log(`start: round ${round + 1}/${extent.starts}`);
  }
  return [
    startFigures('service, on a migrated database of a server', server),
    startFigures('service with the embedded PostgreSQL, first start', first),
    startFigures('service with the embedded PostgreSQL, later start', second),
    { what: 'offertory --version', milliseconds: spreadOf(version), residentMb: undefined },
    { what: 'offertory fund list', milliseconds: spreadOf(funds), residentMb: undefined },
  ];
}

async function startOnce(variables: Readonly<Record<string, string>>): Promise<Start> {
  const service = await startService(variables);
  const started = { milliseconds: service.startMs, residentMb: residentMb(service.pid) };
  await service.stop();
  return started;
}

/** A directory that every user can enter. If root starts the bench, PostgreSQL runs as another user. */
function embeddedDirectory(): string {
  const directory = temporaryDirectory();
  chmodSync(new URL('..', `file://${directory}/`).pathname, 0o755);
  chmodSync(directory, 0o755);
  return directory;
}

function startFigures(what: string, starts: readonly Start[]): StartFigures {
  return {
    what,
    milliseconds: spreadOf(starts.map((one) => one.milliseconds)),
    residentMb: spreadOfKnown(starts.map((one) => one.residentMb)),
  };
}

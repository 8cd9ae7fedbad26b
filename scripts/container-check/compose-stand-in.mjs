/* global fetch, AbortSignal */
// Replaces `docker`, as far as the operator's pages use it, without a container engine: uses the image that this check has
// built and a database of the given server. Started by walk.mjs, which passes its plan in COMPOSE_STAND_IN.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { environmentOf } from './compose-files.mjs';

const PLAN = JSON.parse(readFileSync(process.env.COMPOSE_STAND_IN, 'utf8'));

/**
 * The services: where each listens, the containers that prepare its database, and what is different here. Both databases are on
 * one server here.
 */
const SERVICES = {
  api: { port: PLAN.port, roles: 'roles', migrate: 'migrate', postgres: 'postgres', database: 'offertory', files: '.' },
  test: {
    ...{ port: PLAN.testPort, roles: 'test-roles', migrate: 'test-migrate', postgres: 'test-postgres' },
    ...{ database: 'offertory_test', files: 'test' },
  },
};
const NAMES = Object.keys(SERVICES);

const [program, ...rest] = process.argv.slice(2);
const profiles = rest.filter((_arg, i) => rest[i - 1] === '--profile');
const args = rest.filter((arg, i) => arg !== '--profile' && rest[i - 1] !== '--profile');
const [verb, ...operands] = args;
const VERBS = { up, start: up, stop, build, pull, run, exec: execute, ps, logs };
if (program !== 'compose' || VERBS[verb] === undefined)
  fail(`does not know: docker ${process.argv.slice(2).join(' ')}`);
await VERBS[verb](operands);

async function up(operands) {
  const others = ['postgres', 'test-postgres', 'tls'];
  const services = only(operands, ['--build', '--detach', '--wait', '--force-recreate'], [...started(), ...others]);
  for (const name of NAMES) if (services.includes(name)) await startService(name);
}

/** The services that `up` starts: the test system only with its profile. */
function started() {
  return NAMES.filter((name) => name === 'api' || profiles.includes(name));
}

async function startService(name) {
  const { roles, migrate, port } = SERVICES[name];
  createRoles(name, roles);
  run([migrate]);
  if (process.exitCode) fail('could not migrate, so the service is not started');
  if (running(name) !== undefined) await stop([name]);
  const log = openSync(logFile(name), 'a');
  const child = spawn(PLAN.command[0], PLAN.command.slice(1), {
    ...options(name),
    stdio: ['ignore', log, log],
    detached: true,
  });
  child.unref();
  writeFileSync(pidFile(name), String(child.pid));
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) fail(`the service has ended:\n${readFileSync(logFile(name), 'utf8').slice(-2000)}`);
    if (await isReady(port)) return;
    await sleep(200);
  }
  fail('the service does not become ready');
}

async function isReady(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(4_000) })).ok;
  } catch {
    return false;
  }
}

async function stop(operands) {
  for (const name of only(operands, [], NAMES)) {
    const pid = running(name);
    if (pid === undefined) continue;
    process.kill(pid, 'SIGTERM');
    for (let tries = 0; tries < 75 && running(name) !== undefined; tries++) await sleep(200);
    if (running(name) !== undefined) fail('the service does not stop');
    rmSync(pidFile(name));
  }
}

/** Does nothing: the image is already built from this checkout. */
function build(operands) {
  only(operands, ['--pull'], ['api']);
}

function pull(operands) {
  only(operands, ['--ignore-buildable'], ['postgres', 'tls']);
}

/** Runs the script of the container that creates the roles, in this directory. */
function createRoles(name, container) {
  const { env } = options(container);
  const { PGHOST, PGPORT, PGPASSWORD } = PLAN.postgres;
  const { database } = SERVICES[name];
  const { status } = spawnSync('sh', ['scripts/database-roles.sh'], {
    env: { ...env, PATH: process.env.PATH, PGHOST, PGPORT, PGPASSWORD, PGDATABASE: database },
    stdio: 'inherit',
  });
  if (status !== 0) fail('could not create the roles, so the service is not started');
}

/** Runs the service that migrates as the owner, or a command beside the service. */
function run(operands) {
  const [service, ...command] = operands.filter((operand) => operand !== '--rm');
  const migrating = NAMES.map((name) => SERVICES[name].migrate);
  if ([...NAMES, ...migrating].includes(service) && command.length > 0) return inContainer(command, options(service));
  only([service, ...command], [], migrating);
  inContainer(['offertory', 'database', 'migrate'], options(service));
}

function execute(operands) {
  const [service, ...command] = operands.filter((operand) => operand !== '-T');
  const inPostgres = service === 'postgres' ? { env: { ...process.env, ...PLAN.postgres } } : undefined;
  const here = NAMES.includes(service) ? options(service) : inPostgres;
  if (here === undefined || command.length === 0) fail(`cannot run anything in ${service}`);
  inContainer(command, here);
}

function inContainer(command, here) {
  const [file, ...args] = command.map((word) => word.replaceAll('/var/lib/offertory', PLAN.env.DATA_DIR));
  const { status, error } = spawnSync(file, args, { ...here, stdio: 'inherit' });
  if (error !== undefined) fail(`${file}: ${error.message}`);
  process.exitCode = status ?? 1;
}

function ps(operands) {
  const now = NAMES.filter((name) => running(name) !== undefined);
  if (operands.includes('--services')) {
    console.log([...now, 'postgres'].join('\n'));
    return;
  }
  console.log(`api       ${now.includes('api') ? 'running (healthy)' : 'exited'}\npostgres  running (healthy)`);
}

function logs(operands) {
  const names = operands.filter((operand, i) => !operand.startsWith('--') && operands[i - 1] !== '--since');
  for (const name of NAMES)
    if (names.includes(name) && existsSync(logFile(name))) process.stdout.write(readFileSync(logFile(name), 'utf8'));
}

/**
 * The spawn options of a container: the service gets .env of the working directory, overridden by the compose files. Only
 * host, port and the names of databases differ here. Undefined if the compose files have no such service.
 */
function options(service) {
  const set = parseEnv(readFileSync('.env', 'utf8'));
  const decided = environmentOf(service, (set.COMPOSE_FILE ?? 'docker-compose.yml').split(':'), set);
  if (decided === undefined) return undefined;
  const name = service.startsWith('test') ? 'test' : 'api';
  const { port, postgres, database, files } = SERVICES[name];
  const { PGHOST, PGPORT } = PLAN.postgres;
  for (const variable of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'])
    decided[variable] = decided[variable]?.replace(`@${postgres}:5432/offertory`, `@${PGHOST}:${PGPORT}/${database}`);
  Object.assign(decided, { HOST: '127.0.0.1', PORT: port, DATA_DIR: join(PLAN.env.DATA_DIR, files) });
  const given = NAMES.includes(service) ? set : {};
  return { cwd: PLAN.workdir, env: { PATH: PLAN.path, HOME: '/', ...given, ...PLAN.env, ...decided }, ...PLAN.user };
}

function running(name) {
  if (!existsSync(pidFile(name))) return undefined;
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

function pidFile(name) {
  return join(PLAN.directory, `${name}.pid`);
}

function logFile(name) {
  return join(PLAN.directory, `${name}.log`);
}

/** The named services, or all. Fails for operands that are neither services nor these flags. */
function only(operands, flags, services) {
  const unknown = operands.filter((operand) => !flags.includes(operand) && !services.includes(operand));
  if (unknown.length > 0) fail(`does not know: ${verb} ${unknown.join(' ')}`);
  const named = operands.filter((operand) => services.includes(operand));
  return named.length === 0 ? services : named;
}

function fail(message) {
  console.error(`The stand-in for docker ${message}`);
  process.exit(1);
}

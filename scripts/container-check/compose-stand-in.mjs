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
const PID_FILE = join(PLAN.directory, 'api.pid');
const LOG_FILE = join(PLAN.directory, 'api.log');

const [program, ...rest] = process.argv.slice(2);
const args = rest.filter((arg, i) => arg !== '--profile' && rest[i - 1] !== '--profile');
const [verb, ...operands] = args;
const VERBS = { up, start: up, stop, build, pull, run, exec: execute, ps, logs };
if (program !== 'compose' || VERBS[verb] === undefined)
  fail(`does not know: docker ${process.argv.slice(2).join(' ')}`);
await VERBS[verb](operands);

async function up(operands) {
  const services = only(operands, ['--build', '--detach', '--wait', '--force-recreate'], ['api', 'postgres', 'tls']);
  if (!services.includes('api')) return;
  if (options('migrate') !== undefined) run(['migrate']);
  if (process.exitCode) fail('could not migrate, so the service is not started');
  if (running() !== undefined) await stop(['api']);
  const log = openSync(LOG_FILE, 'a');
  const child = spawn(PLAN.command[0], PLAN.command.slice(1), {
    ...options('api'),
    stdio: ['ignore', log, log],
    detached: true,
  });
  child.unref();
  writeFileSync(PID_FILE, String(child.pid));
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) fail(`the service has ended:\n${readFileSync(LOG_FILE, 'utf8').slice(-2000)}`);
    if (await isReady()) return;
    await sleep(200);
  }
  fail('the service does not become ready');
}

async function isReady() {
  try {
    return (await fetch(`http://127.0.0.1:${PLAN.port}/health/live`, { signal: AbortSignal.timeout(4_000) })).ok;
  } catch {
    return false;
  }
}

async function stop(operands) {
  only(operands, [], ['api']);
  const pid = running();
  if (pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  for (let tries = 0; tries < 75 && running() !== undefined; tries++) await sleep(200);
  if (running() !== undefined) fail('the service does not stop');
  rmSync(PID_FILE);
}

/** Does nothing: the image is already built from this checkout. */
function build(operands) {
  only(operands, ['--pull'], ['api']);
}

function pull(operands) {
  only(operands, ['--ignore-buildable'], ['postgres', 'tls']);
}

/** Runs the service that migrates as the owner, or a command beside the service. */
function run(operands) {
  const [service, ...command] = operands.filter((operand) => operand !== '--rm');
  if (service === 'api' && command.length > 0) return inContainer(command, options('api'));
  only([service, ...command], [], ['migrate']);
  inContainer(['offertory', 'database', 'migrate'], options('migrate'));
}

function execute(operands) {
  const [service, ...command] = operands.filter((operand) => operand !== '-T');
  const here = { api: options('api'), postgres: { env: { ...process.env, ...PLAN.postgres } } }[service];
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
  if (operands.includes('--services')) {
    console.log(running() === undefined ? 'postgres' : 'api\npostgres');
    return;
  }
  console.log(`api       ${running() === undefined ? 'exited' : 'running (healthy)'}\npostgres  running (healthy)`);
}

function logs(operands) {
  const names = operands.filter((operand, i) => !operand.startsWith('--') && operands[i - 1] !== '--since');
  if (names.includes('api') && existsSync(LOG_FILE)) process.stdout.write(readFileSync(LOG_FILE, 'utf8'));
}

/**
 * The spawn options of a container: the service gets .env of the working directory, overridden by the compose files. Only
 * host and port differ here. Undefined if the compose files have no such service.
 */
function options(service) {
  const set = parseEnv(readFileSync('.env', 'utf8'));
  const decided = environmentOf(service, (set.COMPOSE_FILE ?? 'docker-compose.yml').split(':'), set);
  if (decided === undefined) return undefined;
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL'])
    decided[name] = decided[name]?.replace('@postgres:5432/', `@${PLAN.postgres.PGHOST}:${PLAN.postgres.PGPORT}/`);
  Object.assign(decided, { HOST: '127.0.0.1', PORT: PLAN.port, DATA_DIR: PLAN.env.DATA_DIR });
  const given = service === 'api' ? set : {};
  return { cwd: PLAN.workdir, env: { PATH: PLAN.path, HOME: '/', ...given, ...PLAN.env, ...decided }, ...PLAN.user };
}

function running() {
  if (!existsSync(PID_FILE)) return undefined;
  const pid = Number(readFileSync(PID_FILE, 'utf8'));
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
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

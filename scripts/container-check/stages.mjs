import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execForm, words } from './dockerfile.mjs';
import { step } from './steps.mjs';

/** The paths in the image that are mapped below the root of a stage here; a RUN line with another path is refused. */
const PLACES = ['/app', '/usr/local/bin/offertory', '/var/lib/offertory'];
/** The directories of a base image, inner ones first. */
const BASE = ['usr/local/bin', 'usr/local', 'usr', 'var/lib', 'var'];
const SHARED = ['/bin/sh', '/dev/null'];
const ABSOLUTE_PATH = /(?<![\w.~/*-])\/\w[\w./-]*/g;

/** The image's `USER` here: the user nobody if this runs as root, otherwise the current user. */
const user =
  process.getuid() === 0 ? { uid: numberOf('id', '-u', 'nobody'), gid: numberOf('id', '-g', 'nobody') } : undefined;

/** Builds each stage in its own directory. @returns the last one, the image. */
export async function buildStages(stages, { context, directory }) {
  const built = new Map();
  for (const { name, instructions } of stages) {
    const stage = {
      root: join(directory, name),
      workdir: '/',
      env: {},
      user,
      userName: 'root',
      volumes: [],
      command: undefined,
      healthcheck: undefined,
    };
    for (const path of BASE) mkdirSync(join(stage.root, path), { recursive: true });
    for (const instruction of instructions) {
      const sources = instruction.flags.from === undefined ? { root: context } : built.get(instruction.flags.from);
      await DO[instruction.keyword](stage, instruction, sources);
    }
    built.set(name, stage);
  }
  const image = [...built.values()].at(-1);
  // In an image these belong to root. Without root we can only make them read-only.
  if (user === undefined) for (const path of ['app', ...BASE, '.']) chmodSync(join(image.root, path), 0o555);
  return image;
}

/** Replaces paths of the image in a text with their paths here. */
export function here({ root }, text) {
  return text.replace(ABSOLUTE_PATH, (path) => {
    if (SHARED.includes(path)) return path;
    if (PLACES.some((place) => path === place || path.startsWith(`${place}/`))) return join(root, path);
    throw new Error(`Dockerfile: the check does not know the path ${path} in "${text}"`);
  });
}

const DO = {
  WORKDIR(stage, { value }) {
    stage.workdir = value;
    mkdirSync(here(stage, value), { recursive: true });
  },
  ENV(stage, { value }) {
    for (const word of words(value)) {
      const [, name, text] = /^(\w+)=(.*)$/.exec(word);
      stage.env[name] = here(stage, text);
    }
  },
  async COPY(stage, { flags, value }, sources) {
    await step(`${stageName(stage)}: COPY ${value}`, () => copy(stage, value, flags, sources));
  },
  async RUN(stage, { value }) {
    await step(`${stageName(stage)}: RUN ${value.replace(/\s+/g, ' ')}`, () => run(stage, value));
  },
  USER(stage, { value }) {
    stage.userName = value;
  },
  VOLUME(stage, { value }) {
    stage.volumes.push(...words(value).map((path) => here(stage, path)));
  },
  EXPOSE: () => undefined,
  HEALTHCHECK(stage, { value }) {
    stage.healthcheck = execForm(value.replace(/^CMD\s+/, ''));
  },
  CMD(stage, { value }) {
    stage.command = execForm(value);
  },
};

function copy(stage, value, flags, sources) {
  const unknown = Object.keys(flags).filter((flag) => flag !== 'from');
  if (sources === undefined || unknown.length > 0) throw new Error(`cannot follow its flags: ${JSON.stringify(flags)}`);
  const paths = words(value);
  const target = paths.pop();
  const to = resolve(here(stage, stage.workdir), here(stage, target));
  for (const path of paths) {
    const from = path.startsWith('/') ? here(sources, path) : join(sources.root, path);
    const intoDirectory = target.endsWith('/') || paths.length > 1;
    // As in an image build, the content of a directory is copied.
    const isDirectory = statSync(from).isDirectory();
    mkdirSync(isDirectory || intoDirectory ? to : dirname(to), { recursive: true });
    execFileSync('cp', ['-a', isDirectory ? `${from}/.` : from, to]);
  }
}

function run(stage, value) {
  // Only root can give a directory to another user; otherwise it belongs to the current user already.
  const owner = user === undefined ? '' : `-o ${user.uid} -g ${user.gid}`;
  const line = here(stage, value.replace('-o node -g node', owner));
  const { status, stdout, stderr, error } = spawnSync('sh', ['-c', line], {
    cwd: here(stage, stage.workdir),
    env: { ...surroundings(), ...stage.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`exit code ${status} ${error?.message ?? ''}\n${`${stdout}${stderr}`.slice(-4000)}`);
}

/** Our environment, which configures the package registry, without variables that the Dockerfile must decide. */
function surroundings() {
  const decided =
    /^(NODE_ENV|NODE_OPTIONS|npm_(lifecycle|package|config_(omit|include|production|ignore_scripts)).*)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !decided.test(name)));
}

function stageName({ root }) {
  return root.split('/').at(-1);
}

function numberOf(program, ...args) {
  return Number(execFileSync(program, args, { encoding: 'utf8' }));
}

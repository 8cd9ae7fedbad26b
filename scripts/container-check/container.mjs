/* global setTimeout, clearTimeout */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { here } from './stages.mjs';

/** Starts a program of the image as its user, with the image's environment only. */
export function start(image, [program, ...args], environment = {}) {
  const bin = join(image.root, 'usr/local/bin');
  const child = spawn(program, args, {
    cwd: here(image, image.workdir),
    env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/', ...image.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...image.user,
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => (output[stream] += text));
  }
  const ended = once(child, 'close').then(
    ([code, signal]) => ({ code: code ?? signal, ...output }),
    (error) => ({ code: error.message, ...output }),
  );
  return { child, output, ended };
}

/** Runs a program of the image to its end: `{ code, stdout, stderr }`. Sends SIGTERM after 30 s, SIGKILL after 45 s. */
export async function run(image, command, environment) {
  const { child, ended } = start(image, command, environment);
  const timers = [setTimeout(() => child.kill('SIGTERM'), 30_000), setTimeout(() => child.kill('SIGKILL'), 45_000)];
  try {
    return await ended;
  } finally {
    timers.forEach(clearTimeout);
  }
}

/** Waits until `ready` returns a truthy value; before that, it may fail. */
export async function eventually(what, limitMs, ready) {
  const end = Date.now() + limitMs;
  let why = '';
  for (;;) {
    const result = await Promise.resolve()
      .then(ready)
      .catch((error) => void (why = `: ${error.message}`));
    if (result) return result;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${limitMs / 1000} s${why}`);
    await sleep(200);
  }
}

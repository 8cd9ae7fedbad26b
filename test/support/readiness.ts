import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.js';

/** The statuses of a service's health checks, and how long readiness took, in milliseconds. */
export interface Health {
  readonly ready: number;
  readonly live: number;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
}

export async function askHealth(url: string): Promise<Health> {
  const begin = performance.now();
  const ready = await fetch(`${url}/health/ready`);
  const milliseconds = performance.now() - begin;
  const live = await fetch(`${url}/health/live`);
  return { ready: ready.status, live: live.status, retryAfter: ready.headers.get('retry-after'), milliseconds };
}

/** Waits until readiness answers with this status. @returns the time of the slowest answer, in milliseconds. */
export async function untilReadiness(url: string, status: number, limit = 20_000): Promise<number> {
  let slowest = 0;
  await until(async () => {
    const health = await askHealth(url);
    slowest = Math.max(slowest, health.milliseconds);
    if (health.live !== 200) throw new Error(`Liveness answered ${health.live}`);
    if (health.ready !== 200 && health.retryAfter === null) throw new Error('Readiness did not say when to ask again');
    if (health.ready !== status) await sleep(200);
    return health.ready === status;
  }, limit);
  return slowest;
}

import './assert-node-version.js';
import { Logger } from '@nestjs/common';
import { loadConfiguration } from './config/index.js';
import { defaultDataDir } from './embedded-postgres/index.js';
import { createLogger } from './logger.js';
import { endOnUncaughtErrors, explainStartFault, stopRequests } from './process/index.js';
import { startService } from './start-service.js';

/** A longer stop is cut short, because the sender of the signal kills the process 10 s after DRAIN_SECONDS. */
const STOP_LIMIT_MS = 9_500;
/** How long a start may go on after a request to stop. Cutting it short loses nothing. */
const START_LIMIT_MS = 3_000;

try {
  const configuration = loadConfiguration(defaultDataDir(process.cwd()));
  Logger.overrideLogger(createLogger(configuration.log));
  endOnUncaughtErrors();
  let started = false;
  const stop = stopRequests(configuration.startedByNpm);
  const wasReady = stop.first.then(() => {
    if (!started) setTimeout(() => process.exit(started ? 1 : 0), START_LIMIT_MS);
    return started;
  });
  const service = await startService(configuration);
  started = true;
  // No load balancer sends calls to a service that was not ready before.
  if (await wasReady) {
    await service.drain(stop.second);
    setTimeout(() => process.exit(1), STOP_LIMIT_MS);
  }
  await service.stop();
  process.exit(0);
} catch (error) {
  // Plain text even with LOG_FORMAT=json, because a person reads why the start failed.
  process.stderr.write(`Offertory cannot run: ${explainStartFault(error)}\n`);
  process.exit(1);
}

import './assert-node-version.js';
import { Logger } from '@nestjs/common';
import { loadConfiguration } from './config/index.js';
import { defaultDataDir } from './embedded-postgres/index.js';
import { createLogger } from './logger.js';
import { endOnUncaughtErrors, explainStartFault, stopRequested } from './process/index.js';
import { startService } from './start-service.js';

/** A stop that takes longer is cut short: whoever sent the signal gives us 10 s. */
const STOP_LIMIT_MS = 9_500;
/** A start that is stopped may end what it is about: nothing of it is lost when it is cut. */
const START_LIMIT_MS = 3_000;

try {
  const configuration = loadConfiguration(defaultDataDir(process.cwd()));
  Logger.overrideLogger(createLogger(configuration.log));
  endOnUncaughtErrors();
  let started = false;
  const stop = stopRequested(configuration.startedByNpm).then(() => {
    setTimeout(() => process.exit(started ? 1 : 0), started ? STOP_LIMIT_MS : START_LIMIT_MS);
  });
  const service = await startService(configuration);
  started = true;
  await stop;
  await service.stop();
  process.exit(0);
} catch (error) {
  // What stops a start is for a person to read, so it comes as plain text.
  process.stderr.write(`Offertory cannot run: ${explainStartFault(error)}\n`);
  process.exit(1);
}

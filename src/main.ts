import { Logger } from '@nestjs/common';
import { loadConfiguration } from './config/index.js';
import { defaultDataDir } from './database/index.js';
import { createLogger } from './logger.js';
import { startService } from './service.js';
import { stopRequested } from './stop-requested.js';

/** A stop that takes longer is cut short: whoever sent the signal gives us 10 s. */
const STOP_LIMIT_MS = 9_500;

try {
  const configuration = loadConfiguration(defaultDataDir(process.cwd()));
  Logger.overrideLogger(createLogger(configuration.log));
  const stop = stopRequested(configuration.startedByNpm);
  const service = await startService(configuration);
  await stop;
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await service.stop();
  process.exit(0);
} catch (error) {
  // What stops a start is for a person to read, so it comes as plain text.
  process.stderr.write(`Offertory cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

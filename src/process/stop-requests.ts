import { EventEmitter, once } from 'node:events';

const PARENT_CHECK_MS = 500;

/** The requests to stop that this process gets. Each promise resolves when the request arrives. */
export interface StopRequests {
  readonly first: Promise<void>;
  /** A second request means: finish the calls in flight, and do not drain any longer. Further requests have no effect. */
  readonly second: Promise<void>;
}

/**
 * Watches for SIGTERM and SIGINT, and for the same signals to npm, if npm has started this process: its shell does not
 * forward a signal but dies of it, so this process gets another parent. That counts only as a first request. On Ctrl+C
 * under `npm run start:dev` the terminal sends one signal, and Nest's watcher a second one: so not even a second request may cut
 * calls.
 */
export function stopRequests(startedByNpm: boolean): StopRequests {
  const signals = new EventEmitter();
  const first = once(signals, 'first').then(() => undefined);
  const second = once(signals, 'second').then(() => undefined);
  let count = 0;
  const onSignal = (): void => {
    signals.emit(count++ === 0 ? 'first' : 'second');
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (startedByNpm) {
    const npm = process.ppid;
    setInterval(() => {
      if (process.ppid !== npm) signals.emit('first');
    }, PARENT_CHECK_MS).unref();
  }
  return { first, second };
}

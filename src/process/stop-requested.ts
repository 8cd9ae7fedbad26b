const PARENT_CHECK_MS = 500;

/**
 * Resolves when somebody wants the process to stop: by SIGTERM or SIGINT, or, under npm, by a signal to npm. Its
 * shell does not hand that on but dies of it, which leaves us with another parent. Signals that follow change nothing: on
 * Ctrl+C we get one from the terminal and, under `npm run start:dev`, a second one from Nest's watcher.
 */
export async function stopRequested(startedByNpm: boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
    if (!startedByNpm) return;
    const npm = process.ppid;
    setInterval(() => {
      if (process.ppid !== npm) resolve();
    }, PARENT_CHECK_MS).unref();
  });
}

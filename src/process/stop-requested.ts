const PARENT_CHECK_MS = 500;

/**
 * Resolves on SIGTERM or SIGINT, or when npm, which started this process, gets such a signal. npm's shell does not
 * forward the signal but dies of it, so this process gets another parent. Further signals have no effect: on Ctrl+C
 * under `npm run start:dev` the terminal sends one, and Nest's watcher sends a second one.
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

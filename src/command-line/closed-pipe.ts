/**
 * Lets a command go on when nobody reads what it prints any more, as in `offertory bundle list | head -1`: what it was
 * asked to do, it does to the end.
 */
export function outliveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}

/** Whether this says no more than that somebody has read enough. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPIPE';
}

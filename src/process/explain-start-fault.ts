/** What to do about faults of listening, which Node tells by a code alone. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something else listens there. Stop it, or choose another port by PORT.',
  EACCES: 'Ports below 1024 need more rights. Choose another by PORT, and put a proxy in front.',
  EADDRNOTAVAIL: 'HOST is no address of this machine.',
};

/** Why the service cannot start, for a person to read, with what to do where we know. */
export function explainStartFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const advice = syscall === 'listen' ? ADVICE[code] : undefined;
  return advice === undefined ? error.message : `${error.message}. ${advice}`;
}

/** What to do about errors of listening. Node's messages have only a code. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something else listens there. Stop it, or choose another port by PORT.',
  EACCES: 'Ports below 1024 need more rights. Choose another by PORT, and put a proxy in front.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
};

/** Explains why the service cannot start, with advice where there is some. */
export function explainStartFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const advice = syscall === 'listen' ? ADVICE[code] : undefined;
  return advice === undefined ? error.message : `${error.message}. ${advice}`;
}

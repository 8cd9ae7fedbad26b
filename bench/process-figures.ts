import { readFileSync } from 'node:fs';

/** The unit of processor time in /proc: 100 per second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, in seconds; undefined if the system does not report it. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the name in brackets, which may contain anything. The third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory of a process now, in MB (2^20 bytes); undefined if the system does not report it. */
export function residentMb(pid: number): number | undefined {
  return megabytes(pid, 'VmRSS');
}

/** Peak memory of a process so far, in MB (2^20 bytes); undefined if the system does not report it. */
export function peakMb(pid: number): number | undefined {
  return megabytes(pid, 'VmHWM');
}

function megabytes(pid: number, what: 'VmRSS' | 'VmHWM'): number | undefined {
  const kilobytes = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(readProc(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
}

function readProc(pid: number, file: 'stat' | 'status'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // Not Linux, or the process has ended.
    return undefined;
  }
}

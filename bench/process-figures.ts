import { readFileSync } from 'node:fs';

/** What /proc counts processor time in; 100 a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** User and system time that a process has taken so far, in seconds; undefined where the system does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // Behind the name, which stands in brackets and may hold anything, comes the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory that a process holds now, in MB (2^20 bytes); undefined where the system does not tell. */
export function residentMb(pid: number): number | undefined {
  return megabytes(pid, 'VmRSS');
}

/** The most that it has held so far, in MB (2^20 bytes); undefined where the system does not tell. */
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
    // No Linux, or a process that has ended.
    return undefined;
  }
}

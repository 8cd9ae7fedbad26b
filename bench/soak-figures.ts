import { spreadOf } from './spread.js';

/** The service's memory at one time. */
export interface MemorySample {
  /** Since the load began. */
  readonly seconds: number;
  /** Resident, in MB. */
  readonly mb: number;
}

export interface SoakResult {
  readonly minutes: number;
  /** Calls a second that were asked for, and that were answered. */
  readonly rate: number;
  readonly requestsPerSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** In milliseconds, of all calls. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly samples: readonly MemorySample[];
  /** In MB an hour, by least squares over all samples after the first third. */
  readonly slope: number;
  /** The median memory of the last third to that of the middle one. */
  readonly lastToMiddle: number;
  /** It counts as flat up to this. */
  readonly flatUpTo: number;
}

export const FLAT_UP_TO = 1.1;

/** What the samples tell once the first third is over, in which caches fill. @throws Error for fewer than six samples. */
export function trendOf(samples: readonly MemorySample[]): Pick<SoakResult, 'slope' | 'lastToMiddle' | 'flatUpTo'> {
  if (samples.length < 6) throw new Error('Too few samples of the memory: let it run longer');
  const third = Math.floor(samples.length / 3);
  const medianOf = (part: readonly MemorySample[]): number => spreadOf(part.map(({ mb }) => mb)).median;
  return {
    slope: slopeOf(samples.slice(third)) * 3_600,
    lastToMiddle: medianOf(samples.slice(-third)) / medianOf(samples.slice(third, -third)),
    flatUpTo: FLAT_UP_TO,
  };
}

/** In MB a second. */
function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanSeconds = mean(samples.map(({ seconds }) => seconds));
  const meanMb = mean(samples.map(({ mb }) => mb));
  const covariance = mean(samples.map(({ seconds, mb }) => (seconds - meanSeconds) * (mb - meanMb)));
  return covariance / mean(samples.map(({ seconds }) => (seconds - meanSeconds) ** 2));
}

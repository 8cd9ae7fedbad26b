import { spreadOf } from './spread.js';

/** The service's memory at one time. */
export interface MemorySample {
  /** Seconds since the start of the load. */
  readonly seconds: number;
  /** Resident memory in MB. */
  readonly mb: number;
}

export interface SoakResult {
  readonly minutes: number;
  /** The requested rate of calls per second; `requestsPerSecond` is the rate of answers. */
  readonly rate: number;
  readonly requestsPerSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Percentiles of all calls in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly samples: readonly MemorySample[];
  /** The slope of memory in MB per hour, by least squares over all samples after the first third. */
  readonly slope: number;
  /** The median memory of the last third divided by that of the middle third. */
  readonly lastToMiddle: number;
  /** The maximum of `lastToMiddle` that counts as flat. */
  readonly flatUpTo: number;
}

export const FLAT_UP_TO = 1.1;

/** The trend after the first third, in which caches fill. @throws Error for fewer than six samples. */
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

/** The slope in MB per second. */
function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanSeconds = mean(samples.map(({ seconds }) => seconds));
  const meanMb = mean(samples.map(({ mb }) => mb));
  const covariance = mean(samples.map(({ seconds, mb }) => (seconds - meanSeconds) * (mb - meanMb)));
  return covariance / mean(samples.map(({ seconds }) => (seconds - meanSeconds) ** 2));
}

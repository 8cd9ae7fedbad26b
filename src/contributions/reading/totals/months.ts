/** Months in order, YYYY-MM, without gaps. */
export type Months = readonly string[];

/** All months from the first to the last, which is not earlier. */
export function monthsBetween(first: string, last: string): Months {
  const [from, to] = [numberOf(first), numberOf(last)];
  return Array.from({ length: to - from + 1 }, (_, index) => monthOf(from + index));
}

/** The months up to the one of a day, YYYY-MM-DD. */
export function lastMonths(day: string, count: number): Months {
  const last = numberOf(day);
  return monthsBetween(monthOf(last - count + 1), monthOf(last));
}

/** The same months, a year earlier. */
export function yearBefore(months: Months): Months {
  return months.map((month) => monthOf(numberOf(month) - 12));
}

function numberOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

function monthOf(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
}

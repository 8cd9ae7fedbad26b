/** A count with its separators: "3,330". */
export function groupedCount(count: number): string {
  return count.toLocaleString('en-US');
}

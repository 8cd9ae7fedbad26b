import type { VNode } from 'preact';

/** One bar: a month, or a fund. */
export interface Bar {
  /** Below the bar, as short as "Nov". */
  readonly label: string;
  /** For people who do not see the chart: "November 2026". */
  readonly name: string;
  /** The height; negative ones are shown as 0. It is only for the picture, so it may be rounded. */
  readonly height: number;
  /** Beside the bar, as short as "1,234". */
  readonly short?: string;
  /** The exact value in words: "12 gifts, 1,234.50". */
  readonly value: string;
}

/**
 * A bar chart: columns, and on a narrow screen rows, so that each has room for its amount. Each bar is an item of a list with its name and exact value as text, which screen readers and pointers
 * show. So the picture hides nothing.
 */
export function BarChart({ caption, bars }: { readonly caption: string; readonly bars: readonly Bar[] }): VNode {
  const highest = Math.max(1e-9, ...bars.map(({ height }) => height));
  return (
    <figure class="chart">
      <figcaption>{caption}</figcaption>
      <ol>
        {bars.map(({ label, name, height, short, value }) => {
          const percent = Math.round((Math.max(0, height) / highest) * 1_000) / 10;
          return (
            <li key={name} title={`${name}: ${value}`}>
              <span class="height" aria-hidden="true">
                {short}
              </span>
              <svg class="up" viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect x="0" y={100 - percent} width="10" height={percent} />
              </svg>
              <svg class="across" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect x="0" y="0" width={percent} height="10" />
              </svg>
              <span class="label" aria-hidden="true">
                {label}
              </span>
              <span class="unseen">
                {name}: {value}
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

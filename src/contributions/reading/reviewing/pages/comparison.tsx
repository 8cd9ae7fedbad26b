import type { ComponentChildren, VNode } from 'preact';
import { Link, WideTable } from '../../../../pages/index.js';

/** One of the things that are compared. */
export interface Side {
  readonly heading: string;
  /** Its page, with the text of the link. */
  readonly page: readonly [path: string, label: string];
  /** The details by their labels. Those that are missing are blank. */
  readonly details: Readonly<Record<string, ComponentChildren>>;
  /** The labels of the details that agree with the first side. */
  readonly agrees: readonly string[];
}

interface ComparisonProps {
  readonly caption: string;
  readonly labels: readonly string[];
  readonly sides: readonly Side[];
}

/** Things side by side, each detail in a row. What agrees is marked by a sign and by colour. */
export function Comparison({ caption, labels, sides }: ComparisonProps): VNode {
  return (
    <>
      <h2>{caption}</h2>
      <div class="compared">
        <WideTable
          caption={caption}
          rows={labels.filter((label) => sides.some(({ details }) => hasText(details[label])))}
          keyOf={(label) => label}
          empty="Nothing was sent."
          columns={[
            { header: 'Detail', cell: (label) => label },
            ...sides.map(({ heading, details, agrees }) => ({
              header: heading,
              cell: (label: string) =>
                agrees.includes(label) ? <Agreeing>{details[label]}</Agreeing> : details[label],
            })),
          ]}
        />
      </div>
      <p class="links">
        {sides.map(({ page: [path, label] }) => (
          <Link key={path} to={path}>
            {label}
          </Link>
        ))}
      </p>
    </>
  );
}

function hasText(detail: ComponentChildren): boolean {
  return detail !== null && detail !== undefined && detail !== false && detail !== '';
}

function Agreeing({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <strong class="agrees">
      {children} <span aria-hidden="true">✓</span>
      <span class="unseen"> agrees</span>
    </strong>
  );
}

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
  /** The labels of the details that are compared with those of the first side. */
  readonly compared: readonly string[];
  readonly sides: readonly Side[];
}

/** Things side by side, each detail in a row. What differs stands out, by words and by colour; what agrees has a sign. */
export function Comparison({ caption, labels, compared, sides }: ComparisonProps): VNode {
  const [first] = sides;
  const differs = (label: string, { details, agrees }: Side): boolean =>
    compared.includes(label) && !agrees.includes(label) && hasText(first?.details[label]) && hasText(details[label]);
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
            ...sides.map((side) => ({
              header: side.heading,
              cell: (label: string) => {
                const detail = side.details[label];
                if (side.agrees.includes(label)) return <Agreeing>{detail}</Agreeing>;
                return side !== first && differs(label, side) ? <Differing>{detail}</Differing> : detail;
              },
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
    <span>
      {children}{' '}
      <span class="agrees" aria-hidden="true">
        ✓
      </span>
      <span class="unseen"> agrees</span>
    </span>
  );
}

function Differing({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <span>
      <strong class="differs">{children}</strong> <small>differs</small>
    </span>
  );
}

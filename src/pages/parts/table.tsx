import type { ComponentChildren, VNode } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Amounts and counts are on the right. */
  readonly align?: 'right';
}

interface TableProps<Row> {
  /** What the table lists, for people who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Identifies a row. */
  readonly keyOf: (row: Row) => string | number;
  /** Shown if there are no rows. */
  readonly empty: ComponentChildren;
  /** Whether a row needs attention: it has another ground and a line. What is the matter is in its cells, in words. */
  readonly isMarked?: (row: Row) => boolean;
  /** Cells of a last row, by the headers of their columns. */
  readonly totals?: Readonly<Record<string, ComponentChildren>>;
}

/**
 * A table. The keys j and k go from row to row, to the first link of each. On a narrow screen each row becomes a block, and
 * each cell has its header in front.
 */
export function Table<Row>({ caption, columns, rows, keyOf, empty, isMarked, totals }: TableProps<Row>): VNode {
  if (rows.length === 0) return <EmptyState>{empty}</EmptyState>;
  return (
    <table class="rows">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ header, align }) => (
            <th key={header} scope="col" class={align}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={isMarked?.(row) === true ? 'marked' : undefined}>
            {columns.map(({ header, align, cell }) => (
              <td key={header} class={align} data-header={header}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {totals !== undefined && (
        <tfoot>
          <tr>
            {columns.map(({ header, align }) => (
              <td key={header} class={align} data-header={header}>
                {totals[header]}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** A table with more columns than a narrow page has room for: it scrolls within the page. */
export function WideTable<Row>(props: TableProps<Row>): VNode {
  if (props.rows.length === 0) return <Table {...props} />;
  return (
    <div class="wide" role="region" aria-label={props.caption} tabIndex={0}>
      <Table {...props} />
    </div>
  );
}

/** What a list shows when there is nothing in it. */
export function EmptyState({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="empty">{children}</p>;
}

/** Names and values of one thing, such as a bundle. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The section with the machine and the time of each part. */
export const WHERE_AND_WHEN = 'Where and when';
/** The section with the goals of all parts. */
export const GOALS = 'Goals';

/**
 * The figures of a page with those of a new run. A section of a part that was not measured stays. The goals, and the
 * machine and time of each part, are replaced row by row: a row is known by its first cell.
 * @param earlier the sections of the page, as Markdown
 * @param measured the sections of the run
 * @param order the titles of all sections
 */
export function mergeFigures(earlier: string, measured: string, order: readonly string[]): string {
  const kept = sectionsOf(earlier);
  const replacing = sectionsOf(measured);
  return order
    .flatMap((title) => {
      const [old, now] = [kept.get(title), replacing.get(title)];
      if (old === undefined || now === undefined)
        return (now ?? old) === undefined ? [] : [`## ${title}\n\n${now ?? old}`];
      const isByRow = title === GOALS || title === WHERE_AND_WHEN;
      return [`## ${title}\n\n${isByRow ? mergeRows(old, now) : now}`];
    })
    .join('\n\n');
}

/** The text of each section by its title. */
function sectionsOf(markdown: string): Map<string, string> {
  const parts = markdown.split(/^## (.*)$/m).slice(1);
  const sections = new Map<string, string>();
  for (let i = 0; i < parts.length; i += 2) sections.set(parts[i] ?? '', (parts[i + 1] ?? '').trim());
  return sections;
}

/** The rows of a table, with those of another in the place of the rows that have the same first cell. */
function mergeRows(earlier: string, measured: string): string {
  const [head = '', line = '', ...rows] = earlier.split('\n');
  const replacing = new Map(
    measured
      .split('\n')
      .slice(2)
      .map((row) => [firstCell(row), row]),
  );
  const merged = rows.map((row) => {
    const now = replacing.get(firstCell(row));
    replacing.delete(firstCell(row));
    return now ?? row;
  });
  return [head, line, ...merged, ...replacing.values()].join('\n');
}

function firstCell(row: string): string {
  return (row.split('|')[1] ?? '').trim();
}

/** A table of Markdown, which prettier lines up in a document. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** 10,000 */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** A Markdown table. prettier aligns it in a document. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The number with thousands separators, such as 10,000. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

import { Command } from 'commander';

type Cell = string | number | boolean | null | readonly string[];

/** Prints a command's result: JSON with `--json`, otherwise a table for a list, or a line for each field. */
export function print(command: Command, data: object | readonly object[]): void {
  if (isJson(command)) process.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
  else if (Array.isArray(data)) process.stdout.write(table(data as Record<string, Cell>[]));
  else process.stdout.write(fields(data as Record<string, unknown>));
}

/** Whether a command has `--json`. If the command that it belongs to has the option as well, that one receives it. */
export function isJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Adds `--json` to a command. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON instead of a table');
}

function table(rows: readonly Record<string, Cell>[]): string {
  const [first] = rows;
  if (first === undefined) return 'none\n';
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => columns.map((column) => text(row[column] ?? null)))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function fields(data: Record<string, unknown>, indent = ''): string {
  const width = Math.max(...Object.keys(data).map((name) => name.length));
  return Object.entries(data)
    .map(([name, value]) => {
      if (isList(value)) return `${indent}${name}\n${table(value).replace(/^/gm, `${indent}  `).trimEnd()}\n`;
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? `${indent}${name}\n${fields(value as Record<string, unknown>, `${indent}  `)}`
        : `${indent}${name.padEnd(width)}  ${text(value as Cell)}\n`;
    })
    .join('');
}

function isList(value: unknown): value is Record<string, Cell>[] {
  return Array.isArray(value) && typeof value[0] === 'object';
}

function text(cell: Cell): string {
  if (cell === null) return '-';
  if (Array.isArray(cell)) return cell.length === 0 ? 'none' : cell.join(', ');
  return String(cell);
}

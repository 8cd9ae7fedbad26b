import { page, table } from './markdown.js';

/** A decision record. */
export interface Decision {
  readonly file: string;
  readonly title: string;
  /** The text of its status line; undefined if it has none. */
  readonly status: string | undefined;
}

const INTRODUCTION = `
Each record explains one decision: its context, what was decided, and what follows. A record is never rewritten. When a
decision changes, a new record supersedes the old one, and the status of the old one names it. To add one, copy the form
of the latest, use the next number, write its status line, and run \`npm run docs:reference\`.
`.trim();

/** docs/adr/README.md: all decisions with their status. */
export function decisionsPage(decisions: readonly Decision[]): string {
  const rows = decisions.map(({ file, title, status }) => [
    String(Number(file.slice(0, 4))),
    `[${title}](${file})`,
    status ?? '',
  ]);
  return page('Decisions', INTRODUCTION, [table(['No.', 'Decision', 'Status'], rows)]);
}

/** Reads the title and the status, which may span several lines, from the text of a record. */
export function readDecision(file: string, text: string): Decision {
  const [, title = file] = /^# \d+\. (.+)$/m.exec(text) ?? [];
  const [, status] = /^# .+\n\nStatus: ([^]+?)\n\n/.exec(text) ?? [];
  return { file, title, status: status?.replaceAll('\n', ' ') };
}

import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** A page of docs/ that every installation shows under /guides. */
export interface Guide {
  /** In its address: "webhooks". */
  readonly name: string;
  /** In the list of all guides. */
  readonly label: string;
  /** Its Markdown, relative to docs/. */
  readonly file: string;
  /** What a developer finds there. */
  readonly about: string;
}

/** All guides, in the order in which they are listed. */
export const GUIDES: readonly Guide[] = [
  {
    name: 'integrating',
    label: 'Integrating',
    file: 'integrating.md',
    about: 'Start here: record gifts, reverse them, repeat calls safely and reconcile, with programs to copy.',
  },
  {
    name: 'testing',
    label: 'Testing',
    file: 'testing-your-integration.md',
    about: 'Try your program on a test system: provoke each error, and calls without an answer.',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    file: 'webhooks.md',
    about: 'Receive signed messages about gifts and reversals, with receivers to copy.',
  },
  { name: 'errors', label: 'Errors', file: 'reference/errors.md', about: 'Every error code, and when it occurs.' },
  {
    name: 'compatibility',
    label: 'Compatibility',
    file: 'compatibility.md',
    about: 'For code that already uses the original push API: what is the same, and what to check.',
  },
  {
    name: 'fields',
    label: 'Calls and fields',
    file: 'reference/fields.md',
    about: 'Look up a call: its fields with their limits, its answer and its errors.',
  },
];

/** The build copies docs/ beside the compiled `src`, so the path is the same in the tests and in a build. */
const DOCS = new URL('../../docs/', import.meta.url);

/** The Markdown of a guide. @throws Error if its file is missing. */
export function markdownOf({ file }: Guide): Promise<string> {
  return readFile(new URL(file, DOCS), 'utf8');
}

/** The guide with this name in an address; undefined if there is none. */
export function guideNamed(name: string): Guide | undefined {
  return GUIDES.find((guide) => guide.name === name.toLowerCase());
}

/**
 * Where a link of a guide leads: a path of this service, a place on the same page, or an address of another site.
 * @param href as in the Markdown: "webhooks.md#the-events".
 * @returns undefined for a file of the repository that is no guide.
 */
export function targetOf(href: string, { file }: Guide): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const linked = posix.join(posix.dirname(file), path);
  const guide = GUIDES.find((one) => one.file === linked);
  return guide && `/guides/${guide.name}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Where "/" is, relative to a path: "../" for "/console/login". */
export function rootOf(path: string): string {
  const depth = path.split('/').length - 2;
  return depth <= 0 ? './' : '../'.repeat(depth);
}

/** The address of a path of this service, such as "/console/login", relative to the page whose root is given. */
export function addressOf(root: string, path: string): string {
  if (!path.startsWith('/') || path.startsWith('//')) throw new Error('A path of this service begins with one slash');
  return root + path.slice(1);
}

/** Paths of pages with an optional query: no host, no backslash, which browsers read as a slash, and nothing encoded in the path. */
const PAGE_PATH = /^\/console(\/[\w.~-]+)*\/?(\?[\w.~%&=+:,@/-]*)?$/;

/** The path of a page to go to next, or undefined if the text is anything else, such as the address of another site. */
export function pagePathOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 2_000 || !PAGE_PATH.test(text)) return undefined;
  return /\/\.{1,2}(\/|\?|$)/.test(text) ? undefined : text;
}

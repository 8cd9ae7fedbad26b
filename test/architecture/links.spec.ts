import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url).pathname;

const PAGES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

/** A page without its code, where brackets are not links. */
function withoutCode(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code');
}

/** The links of a page within the project: inline links, pictures and link definitions. */
function linksOf(path: string): string[] {
  const text = withoutCode(path);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return targets.map(([, target = '']) => target).filter((target) => !/^(https?|mailto):/.test(target));
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => {
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : normalize(join(dirname(page), decodeURIComponent(file)));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).includes(anchor));
}

describe('the pages', () => {
  it.each(PAGES)('have links and anchors that exist: %s', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
  });

  it('of docs/ are all linked from the README, except single decisions', () => {
    const linked = linksOf('README.md').map((link) => link.split('#')[0]);
    const pages = PAGES.filter((path) => path.startsWith('docs/') && !/^docs\/adr\/\d/.test(path));
    expect(pages.filter((path) => !linked.includes(path))).toEqual([]);
  });

  it('begin with a README of at most 150 lines', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(150);
  });
});

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { NoticeTemplateError, NoticeTemplates } from './notice-templates.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-templates-'));
  cpSync(new URL('./templates', import.meta.url), directory, { recursive: true });
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function change(file: string, from: string, to: string): void {
  const path = join(directory, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

it('takes those that are shipped', () => {
  expect(() => new NoticeTemplates(directory)).not.toThrow();
});

it.each([
  ['leaves a fact out', 'reversal.txt.hbs', '{{fund}}', 'a fund', /reversal\.txt\.hbs.*fund/],
  ['names what is no fact', 'reversal.html.hbs', '{{fund}}', '{{found}}', /reversal\.html\.hbs.*found/],
  ['does not escape', 'reversal.html.hbs', '{{giver}}', '{{{giver}}}', /reversal\.html\.hbs.*giver/],
  ['is no template', 'reversal.subject.hbs', '{{amount}}', '{{amount', /reversal\.subject\.hbs/],
])('refuses one that %s, by the name of its file', (_what, file, from, to, message) => {
  change(file, from, to);
  expect(() => new NoticeTemplates(directory)).toThrow(NoticeTemplateError);
  expect(() => new NoticeTemplates(directory)).toThrow(message);
});

it('refuses a directory that lacks one', () => {
  rmSync(join(directory, 'reversal.html.hbs'));
  expect(() => new NoticeTemplates(directory)).toThrow(/reversal\.html\.hbs.*ENOENT/);
});

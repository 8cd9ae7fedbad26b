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

it('accepts the shipped templates', () => {
  expect(() => new NoticeTemplates(directory)).not.toThrow();
});

it.each([
  ['omits a fact', 'reversal.txt.hbs', '{{left}}', 'a rest', /reversal\.txt\.hbs.*left/],
  ['omits the funds', 'reversal.txt.hbs', '{{this}}', 'a fund', /reversal\.txt\.hbs.*funds/],
  ['omits the advice', 'reversal.html.hbs', '>{{advice}}<', '><', /reversal\.html\.hbs.*advice/],
  ['names an unknown fact', 'reversal.html.hbs', '{{left}}', '{{right}}', /reversal\.html\.hbs.*right/],
  ['does not escape', 'reversal.html.hbs', '{{giver}}', '{{{giver}}}', /reversal\.html\.hbs.*giver/],
  ['has invalid syntax', 'reversal.subject.hbs', '{{amount}}', '{{amount', /reversal\.subject\.hbs/],
])('refuses a template that %s, and names its file', (_what, file, from, to, message) => {
  change(file, from, to);
  expect(() => new NoticeTemplates(directory)).toThrow(NoticeTemplateError);
  expect(() => new NoticeTemplates(directory)).toThrow(message);
});

it('refuses a directory without one of the templates', () => {
  rmSync(join(directory, 'reversal.html.hbs'));
  expect(() => new NoticeTemplates(directory)).toThrow(/reversal\.html\.hbs.*ENOENT/);
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../scripts/reference/env-example.js';
import { readDecisions } from '../../scripts/reference/read-decisions.js';
import { referencePages } from '../../scripts/reference/reference-pages.js';
import { isDefault } from '../../scripts/reference/settings-page.js';
import { ApiDocument } from '../../src/api-document/api-document.service.js';
import { AppModule } from '../../src/app.module.js';
import { COMMANDS } from '../../src/commands.js';
import { type Configuration, readConfiguration } from '../../src/config/index.js';
import { declaredStatuses } from '../support/declared-errors.js';

const ROOT = new URL('../../', import.meta.url);
const DOCS = new URL('docs/', ROOT);
const ENV_EXAMPLE = readFileSync(new URL('.env.example', ROOT), 'utf8');

const program = { AppModule, ApiDocument, COMMANDS, readConfiguration };
const decisions = readDecisions(ROOT);
const pages = await referencePages(program, ENV_EXAMPLE, decisions);

describe('the generated pages', () => {
  it('are all pages of docs/reference', () => {
    const inReference = readdirSync(new URL('reference/', DOCS)).map((name) => `reference/${name}`);
    expect(['adr/README.md', ...inReference].sort()).toEqual(Object.keys(pages).sort());
  });

  it.each(Object.entries(pages))('are up to date: %s', (name, text) => {
    const written = readFileSync(new URL(name, DOCS), 'utf8');
    if (written !== text) throw new Error(`docs/${name} is out of date. Run: npm run docs:reference`);
  });

  it('list every error code with its status', async () => {
    const rows = [...(pages['reference/errors.md'] ?? '').matchAll(/^\| (\d{3}) \| `(\w+)` \| \S/gm)];
    expect(Object.fromEntries(rows.map(([, status, code = '']) => [code, Number(status)]))).toEqual(
      await declaredStatuses(),
    );
  });
});

describe('.env.example', () => {
  const settings = parseSettings(ENV_EXAMPLE).flatMap((section) => section.settings);
  const read = (environment: Readonly<Record<string, string>>): Configuration =>
    readConfiguration(environment, { defaultDataDir: new URL('../../data', import.meta.url).pathname });

  it('explains every variable', () => {
    expect(settings.filter(({ text }) => text.length < 20)).toEqual([]);
  });

  it.each(settings.filter(({ isForCompose, defaultText }) => !isForCompose && defaultText === undefined))(
    'shows the default of $name, or an example if it says "No default."',
    (setting) => {
      expect(isDefault(setting, read)).toBe(!setting.hasNoDefault);
    },
  );
});

describe('docs/adr', () => {
  it('numbers decisions without gaps', () => {
    expect(decisions.map(({ file }) => Number(file.slice(0, 4)))).toEqual(decisions.map((_decision, i) => i + 1));
  });

  it.each(decisions)('gives a status to the decision: $title', ({ status }) => {
    expect(status).toMatch(/^(accepted|superseded by \[ADR \d+\]\(\d{4}-[\w-]+\.md\))/);
  });

  it.each(decisions.filter(({ status }) => status?.startsWith('superseded') === true))(
    'names "$title" in the decision that supersedes it',
    ({ file, status = '' }) => {
      const [, by = ''] = /\((\d{4}-[\w-]+\.md)\)/.exec(status) ?? [];
      const successor = decisions.find((decision) => decision.file === by);
      expect(successor?.status).toMatch(new RegExp(`Supersedes .*${file.slice(0, 4)}-`));
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../scripts/reference/env-example.js';
import { referencePages } from '../../scripts/reference/reference-pages.js';
import { isDefault } from '../../scripts/reference/settings-page.js';
import { ApiDocument } from '../../src/api-document/api-document.service.js';
import { AppModule } from '../../src/app.module.js';
import { COMMANDS } from '../../src/commands.js';
import { type Configuration, readConfiguration } from '../../src/config/index.js';
import { STATUS_OF } from '../../src/http/index.js';

const DIRECTORY = new URL('../../docs/reference/', import.meta.url);
const ENV_EXAMPLE = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

const pages = await referencePages({ AppModule, ApiDocument, COMMANDS, readConfiguration }, ENV_EXAMPLE);

describe('docs/reference', () => {
  it('has the generated pages and no others', () => {
    expect(readdirSync(DIRECTORY).sort()).toEqual(Object.keys(pages).sort());
  });

  it.each(Object.entries(pages))('is up to date: %s', (name, text) => {
    const written = readFileSync(new URL(name, DIRECTORY), 'utf8');
    if (written !== text) throw new Error(`docs/reference/${name} is out of date. Run: npm run docs:reference`);
  });

  it('has every error code with its status', () => {
    const rows = [...(pages['fields.md'] ?? '').matchAll(/^\| (\d{3}) \| `(\w+)` \| \S/gm)];
    expect(Object.fromEntries(rows.map(([, status, code = '']) => [code, Number(status)]))).toEqual(STATUS_OF);
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
    'shows the default of $name, or an example where it says "No default."',
    (setting) => {
      expect(isDefault(setting, read)).toBe(!setting.hasNoDefault);
    },
  );
});

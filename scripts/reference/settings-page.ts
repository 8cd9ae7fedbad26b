import type { Configuration } from '../../src/config/index.js';
import { code, page } from './markdown.js';
import { parseSettings, type Setting } from './env-example.js';

/** The part of the configuration reader that the page needs. */
export type ReadEnvironment = (environment: Readonly<Record<string, string>>) => Configuration;

const INTRODUCTION = `
Settings are environment variables. The service reads them once, when it starts. It also reads the file \`.env\` in its
directory; a variable that is set already wins over that file. An empty variable counts as not set. If a value is
invalid, the service does not start, and names every invalid variable without repeating its value.

To begin, copy [.env.example](../../.env.example) to \`.env\`. The descriptions below come from that file. Defaults and
accepted values come from the code that reads them ([src/config/](../../src/config/)).
`.trim();

/** A value that every setting with a rule refuses. */
const INVALID = '\u0001';

/** docs/reference/settings.md: every setting with its default, accepted values and meaning. */
export function settingsPage(envExample: string, read: ReadEnvironment): string {
  return page(
    'Settings',
    INTRODUCTION,
    parseSettings(envExample).flatMap(({ section, settings }) => [
      `## ${section}`,
      ...settings.flatMap((setting) => [`### ${setting.name}`, markdown(setting.text), facts(setting, read)]),
    ]),
  );
}

/** Formats names of variables as code and pages as links, and escapes HTML. */
function markdown(text: string): string {
  return text
    .replaceAll(/(?<![`\w])[A-Z]+(?:_[A-Z]+)+(?![`\w/])/g, '`$&`')
    .replaceAll('<', '\\<')
    .replaceAll(/docs\/([\w-]+\.md)/g, '[$1](../$1)');
}

/** Whether the value in .env.example is what the service uses when the variable is not set. */
export function isDefault({ name, value }: Setting, read: ReadEnvironment): boolean {
  return JSON.stringify(read({ [name]: value, ...companions(name) })) === JSON.stringify(read(companions(name)));
}

/** MIGRATION_DATABASE_URL is accepted only together with DATABASE_URL. */
function companions(name: string): Record<string, string> {
  return name === 'MIGRATION_DATABASE_URL' ? { DATABASE_URL: 'postgres://service@127.0.0.1/offertory' } : {};
}

function facts(setting: Setting, read: ReadEnvironment): string {
  const accepted = acceptedBy(setting.name, read);
  return [...defaultOf(setting, read), ...(accepted === undefined ? [] : [`Accepted: ${markdown(accepted)}`])]
    .map((fact) => `- ${fact}`)
    .join('\n');
}

function defaultOf(setting: Setting, read: ReadEnvironment): string[] {
  if (setting.defaultText !== undefined) return [`Default: ${markdown(setting.defaultText)}`];
  if (setting.value === '') return ['Default: none'];
  if (setting.isForCompose || !isDefault(setting, read)) return ['Default: none', `Example: ${code(setting.value)}`];
  return [`Default: ${code(setting.value)}`];
}

/** The accepted values, from the message that refuses others; undefined if every text is accepted. */
function acceptedBy(name: string, read: ReadEnvironment): string | undefined {
  try {
    read({ [name]: INVALID });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return new RegExp(`- ${name} must be (.*)`).exec(message)?.[1];
  }
}

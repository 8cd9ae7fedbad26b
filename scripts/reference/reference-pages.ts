import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { ApiDocument } from '../../src/api-document/api-document.service.js';
import type { OpenApi } from '../../src/api-document/openapi.js';
import type { AppModule } from '../../src/app.module.js';
import type { COMMANDS } from '../../src/commands.js';
import type { Configuration, readConfiguration } from '../../src/config/index.js';
import type { Connection } from '../../src/database/index.js';
import { commandsPage } from './commands-page.js';
import { decisionsPage, type Decision } from './decisions-page.js';
import { errorsPage } from './errors-page.js';
import { fieldsPage } from './fields-page.js';
import { settingsPage } from './settings-page.js';

/** The parts of the program that the reference uses: compiled for the script, as sources for the test. */
export interface Program {
  readonly AppModule: typeof AppModule;
  readonly ApiDocument: typeof ApiDocument;
  readonly COMMANDS: typeof COMMANDS;
  readonly readConfiguration: typeof readConfiguration;
}

/** The generated pages by their paths below docs/. */
export async function referencePages(
  program: Program,
  envExample: string,
  decisions: readonly Decision[],
): Promise<Record<string, string>> {
  const read = (environment: Readonly<Record<string, string>>): Configuration =>
    program.readConfiguration(environment, { defaultDataDir: new URL('../../data', import.meta.url).pathname });
  const commands = await Promise.all([...program.COMMANDS.values()].map((load) => load()));
  const document = await documentOf(program, read({}));
  return {
    'adr/README.md': decisionsPage(decisions),
    'reference/commands.md': commandsPage(commands),
    'reference/errors.md': errorsPage(document),
    'reference/fields.md': fieldsPage(document),
    'reference/settings.md': settingsPage(envExample, read),
  };
}

/** The API's document. Nest builds its map of modules in preview mode: nothing starts, and no database is needed. */
async function documentOf({ AppModule, ApiDocument }: Program, configuration: Configuration): Promise<OpenApi> {
  const module = AppModule.forRoot(configuration, { options: {} } as unknown as Connection);
  const app = await NestFactory.create(module, { preview: true, logger: false, abortOnError: false });
  return new ApiDocument(app.get(ModulesContainer), configuration.church).at('https://giving.example.org');
}

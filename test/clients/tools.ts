import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = new URL('../../', import.meta.url).pathname;
const HERE = join(ROOT, 'test/clients');

const run = promisify(execFile);

/** Programs that are installed here, and those of the repository. */
const TOOLS = {
  'hey-api': join(HERE, 'node_modules/@hey-api/openapi-ts/bin/run.js'),
  'openapi-typescript': join(HERE, 'node_modules/openapi-typescript/bin/cli.js'),
  orval: join(HERE, 'orval.js'),
  spectral: join(HERE, 'node_modules/@stoplight/spectral-cli/dist/index.js'),
  postman: join(HERE, 'postman.js'),
  tsc: join(ROOT, 'node_modules/typescript/bin/tsc'),
  tsx: join(ROOT, 'node_modules/tsx/dist/cli.mjs'),
} as const;

/** A file of this directory. */
export const fileHere = (name: string): string => join(HERE, name);

/** A directory for generated files. It is here, so that they find their packages. */
export function newDirectory(): string {
  return mkdtempSync(join(HERE, 'generated-'));
}

/** Runs a program in a directory. @returns what it printed. @throws Error with what it printed, if it failed. */
export async function tool(
  name: keyof typeof TOOLS,
  args: readonly string[],
  { cwd }: { readonly cwd: string },
): Promise<string> {
  try {
    return (await run(process.execPath, [TOOLS[name], ...args], { cwd })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr || String(error)}`, { cause: error });
  }
}

const COMPILER_OPTIONS = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'],
  ...['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable', '--types', 'node', '--typeRoots'],
  ...[join(ROOT, 'node_modules/@types'), '--module', 'preserve', '--moduleResolution', 'bundler'],
];

/** Compiles a program against the generated client beside it, and runs it. @returns what it printed. */
export async function compileAndRun(program: string, directory: string, args: readonly string[]): Promise<string> {
  copyFileSync(fileHere(`programs/${program}.ts`), join(directory, 'program.ts'));
  await tool('tsc', [...COMPILER_OPTIONS, 'program.ts'], { cwd: directory });
  return tool('tsx', ['program.ts', ...args], { cwd: directory });
}

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import type { Defence } from './defence.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const COPIED = [
  'src',
  'test',
  'migrations',
  'examples',
  'dist',
  'package.json',
  'jest.config.js',
  'tsconfig.json',
  '.env.example',
];
const LINKED = ['node_modules', 'scripts', 'docs', 'README.md', 'CHANGELOG.md'];

/** As in jest.config.js. */
const COMPILER = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
} as const;

/** A copy of this project in which defences are switched off, one at a time. */
export class Tree {
  private constructor(readonly path: string) {}

  static copy(): Tree {
    const path = mkdtempSync(join(tmpdir(), 'offertory-defences-'));
    for (const name of COPIED) cpSync(join(ROOT, name), join(path, name), { recursive: true });
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(path, name));
    return new Tree(path);
  }

  /**
   * Switches a defence off, in the source for the tests and in dist/ for programs and migrations.
   * @returns switches it on again.
   * @throws Error if the defence's text does not occur exactly once.
   */
  switchOff({ file, from, to }: Defence): () => void {
    const source = readFileSync(join(this.path, file), 'utf8');
    const count = source.split(from).length - 1;
    if (count !== 1) throw new Error(`${file} contains the text to replace ${count} times instead of once: ${from}`);
    const changed = source.replace(from, () => to);
    const compiled = join('dist', file.replace(/\.ts$/, '.js'));
    const undo = [this.replace(file, changed), this.replace(compiled, transformSync(changed, COMPILER).code)];
    return () => {
      for (const step of undo) step();
    };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private replace(file: string, text: string): () => void {
    const path = join(this.path, file);
    const before = readFileSync(path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return () => {
      writeFileSync(path, before);
    };
  }
}

import { readdirSync, readFileSync } from 'node:fs';

const SRC = new URL('../../src/', import.meta.url);

/** The exported values of the files of src/ that `isChosen` selects by name and text. */
export async function sourceExports(isChosen: (file: string, text: () => string) => boolean): Promise<unknown[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const chosen = files.filter(
    (file) => file.endsWith('.ts') && isChosen(file, () => readFileSync(new URL(file, SRC), 'utf8')),
  );
  const modules = await Promise.all(chosen.map((file) => import(new URL(file, SRC).pathname) as Promise<object>));
  return modules.flatMap((exports) => Object.values(exports) as unknown[]);
}

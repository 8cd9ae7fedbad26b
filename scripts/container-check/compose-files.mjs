import { readFileSync } from 'node:fs';

/** The environment of a service in the compose files, where later files override earlier ones; undefined without one. */
export function environmentOf(service, files, variables) {
  let found;
  for (const file of files) {
    const text = interpolate(readFileSync(file, 'utf8'), variables);
    const [, body] = new RegExp(`^ {2}${service}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(text) ?? [];
    if (body === undefined) continue;
    const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(body) ?? [];
    for (const [, name, value] of block.matchAll(/^ {6}(\w+): (.*)$/gm))
      found = { ...found, [name]: value.replace(/^'(.*)'$/, '$1') };
  }
  return found;
}

/** Compose's substitution: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`; an empty variable counts as not set. */
export function interpolate(text, environment) {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, operator, argument) => {
    const value = environment[name] ?? '';
    if (value !== '' || operator === undefined) return value;
    if (operator === '-') return argument;
    throw new Error(`${name}: ${argument}`);
  });
}

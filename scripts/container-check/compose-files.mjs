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

/**
 * Compose's substitution: `${NAME}`, `${NAME:-default}`, `${NAME:+replacement}`, `${NAME:?message}`. The text after the
 * operator may contain further ones. An empty variable counts as not set.
 */
export function interpolate(text, environment) {
  let result = '';
  for (let at = 0; at < text.length;) {
    const [whole, name, operator] = /^\$\{(\w+)(?::([-+?]))?/.exec(text.slice(at)) ?? [];
    if (whole === undefined) {
      result += text[at++];
      continue;
    }
    const end = closingBrace(text, at + 2);
    const argument = text.slice(at + whole.length, end);
    const value = environment[name] ?? '';
    if (operator === '+') result += value === '' ? '' : interpolate(argument, environment);
    else if (value !== '' || operator === undefined) result += value;
    else if (operator === '-') result += interpolate(argument, environment);
    else throw new Error(`${name}: ${argument}`);
    at = end + 1;
  }
  return result;
}

function closingBrace(text, from) {
  for (let at = from, depth = 1; at < text.length; at++) {
    if (text.startsWith('${', at)) depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  throw new Error(`a brace is not closed: ${text.slice(from, from + 80)}`);
}

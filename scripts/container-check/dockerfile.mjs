/** The instructions that this check supports. Others must fail, because a skipped line would not be checked. */
const KEYWORDS = ['CMD', 'COPY', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'RUN', 'USER', 'VOLUME', 'WORKDIR'];

/** Reads a Dockerfile: its stages in order, each `{ name, instructions: [{ keyword, flags, value }] }`. */
export function readDockerfile(text) {
  const stages = [];
  for (const line of logicalLines(text)) {
    const [, keyword, rest] = /^([A-Z]+)\s+(.+)$/s.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [, , name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ name: name ?? 'final', instructions: [] });
    } else if (KEYWORDS.includes(keyword) && stages.length > 0) {
      stages.at(-1).instructions.push({ keyword, ...withFlags(rest) });
    } else {
      throw new Error(`Dockerfile: cannot follow "${line}"`);
    }
  }
  if (stages.length === 0) throw new Error('Dockerfile: there is no FROM');
  return stages;
}

/** The program and arguments of `["program", "argument"]`; the shell form is refused, because the shell would be process 1. */
export function execForm(value) {
  if (!value.startsWith('[')) throw new Error(`not in exec form: ${value}`);
  return JSON.parse(value);
}

/** The words of an instruction without quotes. */
export function words(value) {
  if (/["'\\]/.test(value)) throw new Error(`Dockerfile: cannot follow the quotes in "${value}"`);
  return value.split(/\s+/);
}

function logicalLines(text) {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function withFlags(rest) {
  const flags = {};
  let value = rest;
  for (let flag; (flag = /^--([a-z-]+)=(\S+)\s+/.exec(value)); value = value.slice(flag[0].length)) {
    flags[flag[1]] = flag[2];
  }
  return { flags, value };
}

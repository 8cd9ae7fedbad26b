/** The shell commands of a page: the lines between ```sh and ``` below this heading and its subheadings. */
export function shellCommands(markdown, heading) {
  const commands = [];
  let level = heading === undefined ? 0 : undefined;
  let isBlock = false;
  let section = '';
  for (const line of markdown.split('\n')) {
    const [, hashes, title] = (!isBlock && /^(#+) (.+)$/.exec(line)) || [];
    if (title !== undefined) {
      section = title;
      if (title === heading) level = hashes.length;
      else if (heading !== undefined && level !== undefined && hashes.length <= level) return commands;
    }
    if (/^```/.test(line)) isBlock = !isBlock && line === '```sh';
    else if (isBlock && level !== undefined && line.trim() !== '') {
      const before = commands.at(-1);
      if (before?.command.endsWith('\\')) before.command = `${before.command.slice(0, -1)}${line.trim()}`;
      else commands.push({ section, command: line.trim() });
    }
  }
  return commands;
}

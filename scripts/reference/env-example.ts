/** A variable of .env.example. */
export interface Setting {
  readonly name: string;
  /** Its default or, where it has none, an example; without quotes. */
  readonly value: string;
  /** What its comment says, without the sentences about its default. */
  readonly text: string;
  /** What the comment says after "Default:"; undefined where the value itself is the default or an example. */
  readonly defaultText: string | undefined;
  /** Whether the comment says "No default". */
  readonly hasNoDefault: boolean;
  /** Read by docker compose, and not by the service. */
  readonly isForCompose: boolean;
}

/** The variables under one heading of .env.example. */
export interface Section {
  readonly section: string;
  readonly settings: readonly Setting[];
}

const HEADING = /^# --- (.+?) -+$/gm;
const ASSIGNMENT = /^#?([A-Z][A-Z_]*)=(.*)$/;

/** Read by docker-compose.yml alone. */
export const COMPOSE_ONLY = [
  'COMPOSE_FILE',
  'COMPOSE_PROFILES',
  'OWNER_PASSWORD',
  'POSTGRES_PASSWORD',
  'SERVICE_PASSWORD',
];

/** The sections of .env.example in their order: blocks between empty lines, each a comment and its variables. */
export function parseSettings(text: string): Section[] {
  const [, ...parts] = text.split(HEADING);
  return parts.flatMap((section, i) =>
    i % 2 === 1 ? [] : [{ section, settings: (parts[i + 1] ?? '').split(/\n{2,}/).flatMap(parseBlock) }],
  );
}

function parseBlock(block: string): Setting[] {
  const lines = block.split('\n').filter((line) => line !== '');
  const variables = lines.flatMap((line) => {
    const [, name, value = ''] = ASSIGNMENT.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: value.replace(/^"(.*)"$/, '$1') }];
  });
  const comment = lines.filter((line) => !ASSIGNMENT.test(line)).map((line) => line.replace(/^# ?/, ''));
  return variables.map(({ name, value }) => ({
    name,
    value,
    ...readComment(comment.join('\n')),
    isForCompose: COMPOSE_ONLY.includes(name),
  }));
}

/** "Default: …" and "No default." stand in sentences of their own. */
function readComment(comment: string): Pick<Setting, 'text' | 'defaultText' | 'hasNoDefault'> {
  const [, defaultText] = /(?:^|\s)Default: ([^]+?)\.(?:\s|$)/.exec(comment) ?? [];
  const hasNoDefault = /(?:^|\s)No default\./.test(comment);
  const text = comment
    .replace(/(^|\s)(?:Default: [^]+?|No default)\.(?=\s|$)/, '$1')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ *\n\s*/g, '\n')
    .trim();
  return { text, defaultText: defaultText?.replaceAll('\n', ' '), hasNoDefault };
}

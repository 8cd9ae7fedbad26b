/** A variable of .env.example. */
export interface Setting {
  readonly name: string;
  /** Its default, or an example if it has none; without quotes. */
  readonly value: string;
  /** Its comment, without the sentences about its default. */
  readonly text: string;
  /** The text after "Default:" in the comment; undefined if the value itself is the default or an example. */
  readonly defaultText: string | undefined;
  /** Whether the comment says "No default". */
  readonly hasNoDefault: boolean;
  /** Whether only docker compose reads it, not the service. */
  readonly isForCompose: boolean;
}

/** The variables under one heading of .env.example. */
export interface Section {
  readonly section: string;
  readonly settings: readonly Setting[];
}

const HEADING = /^# --- (.+?) -+$/gm;
const ASSIGNMENT = /^#?([A-Z][A-Z_]*)=(.*)$/;

/** The variables that only docker-compose.yml reads. */
export const COMPOSE_ONLY = [
  ...['COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME', 'OWNER_PASSWORD', 'POSTGRES_PASSWORD', 'SERVICE_PASSWORD'],
  ...['TEST_POSTGRES_PASSWORD', 'TEST_OWNER_PASSWORD', 'TEST_SERVICE_PASSWORD', 'TEST_LOGIN_SECRET'],
  ...['TEST_PORT', 'TEST_DOMAIN', 'TEST_PUBLIC_URL'],
];

/** The sections of .env.example in order. Their blocks are separated by empty lines: a comment with its variables. */
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

/** Separates the sentences "Default: …." and "No default." from the rest of a comment. */
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

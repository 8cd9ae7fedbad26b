import type { MarkedToken, Token } from 'marked';

/** A heading below the title. */
export interface Heading {
  /** By which a link leads to it: the same as on GitHub. */
  readonly id: string;
  readonly depth: number;
  readonly title: string;
}

/** A page of Markdown. */
export interface MarkdownPage {
  /** The text of its first heading. */
  readonly title: string;
  /** What follows the title. */
  readonly blocks: readonly MarkedToken[];
  /** The headings among the blocks, by their tokens. */
  readonly headings: ReadonlyMap<MarkedToken, Heading>;
}

const BLOCKS = ['blockquote', 'code', 'heading', 'list', 'paragraph', 'space', 'table', 'text'] as const;
const PARTS = ['br', 'codespan', 'em', 'escape', 'link', 'strong', 'text'] as const;

type TokenOf<Types extends readonly string[]> = Extract<MarkedToken, { readonly type: Types[number] }>;

/** A block that a guide can show. @throws Error for any other, such as HTML. */
export const blockOf = (token: Token): TokenOf<typeof BLOCKS> => known(token, BLOCKS);

/** A part of a text that a guide can show. @throws Error for any other, such as HTML or a picture. */
export const partOf = (token: Token): TokenOf<typeof PARTS> => known(token, PARTS);

function known<const Types extends readonly string[]>(token: Token, types: Types): TokenOf<Types> {
  if (!types.includes(token.type)) throw new Error(`A guide cannot show this: ${token.raw}`);
  return token as TokenOf<Types>;
}

/** Reads Markdown. @throws Error if it does not begin with a title. */
export async function readMarkdown(text: string): Promise<MarkdownPage> {
  // With the first visit, because commands load this module too.
  const { lexer } = await import('marked');
  const [first, ...blocks] = (lexer(text) as MarkedToken[]).filter((block) => !isComment(block));
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('A page must begin with its title');
  return { title: textOf(first.tokens), blocks, headings: headingsOf(blocks) };
}

function isComment(block: MarkedToken): boolean {
  return block.type === 'space' || (block.type === 'html' && /^<!--[^]*-->\s*$/.test(block.text));
}

/** Ids as on GitHub: of equal ones, later ones get a number. */
function headingsOf(blocks: readonly MarkedToken[]): ReadonlyMap<MarkedToken, Heading> {
  const seen = new Map<string, number>();
  const headings = new Map<MarkedToken, Heading>();
  for (const block of blocks) {
    if (block.type !== 'heading') continue;
    const title = textOf(block.tokens);
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    headings.set(block, { id: count === 0 ? slug : `${slug}-${count}`, depth: block.depth, title });
  }
  return headings;
}

/** The text of inline tokens, without links and emphasis. */
export function textOf(tokens: readonly Token[] = []): string {
  return (tokens as readonly MarkedToken[])
    .map((token) => {
      if ('tokens' in token) return textOf(token.tokens);
      return 'text' in token ? token.text : '';
    })
    .join('');
}

import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Link } from '../../pages/index.js';
import { partOf } from './read-markdown.js';

/** How a page of Markdown is shown. */
export interface MarkdownOptions {
  /** Where a link leads: see `targetOf` of guides.ts. Undefined: nowhere, so only its text is shown. */
  readonly targetOf: (href: string) => string | undefined;
  /** Replaces the values of the example church in code. */
  readonly ownValues: (code: string) => string;
}

/**
 * Text with links, emphasis and code, which Preact escapes. Functions and not components: the largest guide has twenty
 * thousand parts, and a component for each would take a quarter of a second.
 */
export function inline(tokens: readonly Token[], options: MarkdownOptions): ComponentChildren {
  return tokens.map((token) => part(partOf(token), options));
}

function part(token: ReturnType<typeof partOf>, options: MarkdownOptions): ComponentChildren {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? token.text : inline(token.tokens, options);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong>{inline(token.tokens, options)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, options)}</em>;
    case 'codespan':
      return <code>{options.ownValues(token.text)}</code>;
    case 'link':
      return link(token, options);
    case 'br':
      return <br />;
  }
}

/** An address that is written as plain text stays text: most of them are examples. */
function link({ href, tokens, autolink = false }: Tokens.Link, options: MarkdownOptions): ComponentChildren {
  const target = options.targetOf(href);
  const label = inline(tokens, options);
  if (target === undefined || autolink) return label;
  return target.startsWith('/') ? <Link to={target}>{label}</Link> : <a href={target}>{label}</a>;
}

import type { Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { inline, type MarkdownOptions } from './inline.js';
import { blockOf, type MarkdownPage, textOf } from './read-markdown.js';

interface Options extends MarkdownOptions {
  readonly headings: MarkdownPage['headings'];
}

interface MarkdownBlocksProps extends MarkdownOptions {
  readonly page: MarkdownPage;
}

/** The headings, paragraphs, lists, tables and code of a page. */
export function MarkdownBlocks({ page, ...options }: MarkdownBlocksProps): VNode {
  return <>{blocks(page.blocks, { ...options, headings: page.headings })}</>;
}

function blocks(tokens: readonly Token[], options: Options): ComponentChildren {
  return tokens.map((token) => block(blockOf(token), options));
}

function block(token: ReturnType<typeof blockOf>, options: Options): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return heading(token, options);
    case 'paragraph':
      return <p>{inline(token.tokens, options)}</p>;
    case 'list':
      return list(token, options);
    case 'table':
      return table(token, options);
    case 'code':
      return codeBlock(token, options);
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, options)}</blockquote>;
    case 'text':
      return inline(token.tokens ?? [], options);
    case 'space':
      return null;
  }
}

function heading(token: Tokens.Heading, options: Options): VNode {
  const Level = `h${token.depth}` as 'h2' | 'h3' | 'h4';
  return <Level id={options.headings.get(token)?.id}>{inline(token.tokens, options)}</Level>;
}

function list({ ordered, start, items }: Tokens.List, options: Options): VNode {
  const entries = items.map(({ tokens }) => <li>{blocks(tokens, options)}</li>);
  return ordered ? <ol start={start === '' ? undefined : start}>{entries}</ol> : <ul>{entries}</ul>;
}

/** A table that is wider than the page scrolls, with the keyboard too. */
function table({ header, rows }: Tokens.Table, options: Options): VNode {
  const columns = header.map(({ tokens }) => textOf(tokens));
  return (
    <div class="scrolls" role="group" aria-label={`Table: ${columns.join(', ')}`} tabIndex={0}>
      <table>
        <thead>
          <tr>{header.map((one) => cell(one, options))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{row.map((one) => cell(one, options))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cell({ header, align, text, tokens }: Tokens.TableCell, options: Options): VNode {
  const side = align === 'right' ? 'right' : undefined;
  const content = inline(tokens, options);
  if (!header || text === '') return <td class={side}>{content}</td>;
  return (
    <th scope="col" class={side}>
      {content}
    </th>
  );
}

/** The first word after the fence is the language, and `file=give.ts` is the name under which to save the code. */
function codeBlock({ lang = '', text }: Tokens.Code, { ownValues }: Options): VNode {
  const [, file] = /\bfile=(\S+)/.exec(lang) ?? [];
  const code = (
    <pre tabIndex={0}>
      <code>{ownValues(text)}</code>
    </pre>
  );
  if (file === undefined) return code;
  return (
    <figure>
      <figcaption>{file}</figcaption>
      {code}
    </figure>
  );
}

import { describe, expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { MarkdownBlocks } from './blocks.js';
import { readMarkdown } from './read-markdown.js';

/** The HTML of a page with this text below its title. */
async function htmlOf(text: string): Promise<string> {
  const page = await readMarkdown(`<!-- Generated. -->\n\n# Title\n\n${text}\n`);
  const targetOf = (href: string): string | undefined => (href.startsWith('other') ? undefined : href);
  const ownValues = (code: string): string => code.replaceAll('USD', 'EUR');
  return renderToString(h(MarkdownBlocks, { page, targetOf, ownValues }));
}

describe('Markdown', () => {
  it.each([
    ['a **b** _c_ `d` \\<e', '<p>a <strong>b</strong> <em>c</em> <code>d</code> &lt;e</p>'],
    ['a & "b" < c', '<p>a &amp; &quot;b&quot; &lt; c</p>'],
    ['`<USD>`', '<p><code>&lt;EUR></code></p>'],
    ['[a `b`](#c)', '<p><a href="#c">a <code>b</code></a></p>'],
    ['[a](other.md)', '<p>a</p>'],
    ['https://example.org', '<p>https://example.org</p>'],
    ['## A b\n\n### A, b!', '<h2 id="a-b">A b</h2><h3 id="a-b-1">A, b!</h3>'],
    ['- a\n  - b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['2. a\n3. b', '<ol start="2"><li>a</li><li>b</li></ol>'],
    ['```sh\nx "USD" <y\n```', '<pre tabindex="0"><code>x &quot;EUR&quot; &lt;y</code></pre>'],
    ['```ts file=a.ts\nx\n```', '<figure><figcaption>a.ts</figcaption><pre tabindex="0"><code>x</code></pre></figure>'],
  ])('%j becomes elements', async (text, html) => {
    expect(await htmlOf(text)).toBe(html);
  });

  it('becomes a table that can be scrolled with the keyboard', async () => {
    expect(await htmlOf('| a | `b` |\n| --- | --: |\n| 1 | `x\\|y` |')).toBe(
      '<div class="scrolls" role="group" aria-label="Table: a, b" tabindex="0"><table>' +
        '<thead><tr><th scope="col">a</th><th scope="col" class="right"><code>b</code></th></tr></thead>' +
        '<tbody><tr><td>1</td><td class="right"><code>x|y</code></td></tr></tbody></table></div>',
    );
  });

  it.each(['<b>a</b>', 'a <b>b</b>', '<script>a</script>', '![a](b.png)', 'a ~~b~~', '---'])(
    'is refused with %j, which no guide needs',
    async (text) => {
      await expect(htmlOf(text)).rejects.toThrow('A guide cannot show this');
    },
  );

  it('begins with its title', async () => {
    expect((await readMarkdown('# The `title`\n\na')).title).toBe('The title');
    await expect(readMarkdown('a\n\n# Title')).rejects.toThrow('A page must begin with its title');
  });
});

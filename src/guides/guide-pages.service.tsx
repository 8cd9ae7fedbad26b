import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Church } from '../config/index.js';
import { Compressible } from '../http/index.js';
import { PageRenderer } from '../pages/index.js';
import { withAddress, withValuesOf } from './example-values.js';
import { GuideList, GuidePage } from './guide-page.js';
import { type Guide, markdownOf, targetOf } from './guides.js';
import { type MarkdownPage, readMarkdown } from './markdown/read-markdown.js';

const HTML = 'text/html; charset=utf-8';

/** Makes the pages under /guides. Each is made once, with the address of the example church, which each answer replaces. */
@Injectable()
export class GuidePages {
  /** Markdown by the names of the guides. */
  private readonly read = new Map<string, Promise<MarkdownPage>>();
  /** HTML by path. */
  private readonly made = new Map<string, Promise<string>>();
  /** By path and address. Callers choose the address by their Host header, so only a few are kept. */
  private readonly sent = new LRUCache<string, Compressible>({ max: 16 });

  constructor(
    private readonly renderer: PageRenderer,
    private readonly church: Church,
  ) {}

  /**
   * A page.
   * @param guide undefined: the list of all guides.
   * @param hasSlash whether its address ends with a slash, on which the addresses of its links depend.
   * @param address the absolute address of the service for the caller; undefined if the caller has not sent a usable one.
   */
  async at(guide: Guide | undefined, hasSlash: boolean, address: string | undefined): Promise<Compressible> {
    const path = `/guides${guide === undefined ? '' : `/${guide.name}`}${hasSlash ? '/' : ''}`;
    const key = `${path} ${address ?? ''}`;
    const known = this.sent.get(key);
    if (known !== undefined) return known;
    const html = await keptIn(this.made, path, () => this.make(guide, path));
    const page = new Compressible(Buffer.from(withAddress(html, address)), HTML);
    this.sent.set(key, page);
    return page;
  }

  private async make(guide: Guide | undefined, path: string): Promise<string> {
    const { church } = this;
    if (guide === undefined)
      return this.renderer.renderForAll(path, {
        title: 'Guides for developers',
        isLong: true,
        content: <GuideList church={church} />,
      });
    const page = await keptIn(this.read, guide.name, async () => readMarkdown(await markdownOf(guide)));
    // Each half of the work takes a while for the largest guide. Calls that came in meanwhile go first.
    await setImmediate();
    const content = (
      <GuidePage
        guide={guide}
        page={page}
        church={church}
        targetOf={(href) => targetOf(href, guide)}
        ownValues={(code) => withValuesOf(church, code)}
      />
    );
    return this.renderer.renderForAll(path, { title: page.title, isLong: true, content });
  }
}

/** Makes a value once. If that fails, the next request tries it again. */
function keptIn<Value>(values: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  value.catch(() => values.delete(key));
  return value;
}

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Church, Configuration } from '../config/index.js';
import { ChurchDay } from '../http/index.js';
import { assetPath } from './assets/assets.js';
import { rootOf } from './frame/addresses.js';
import { Layout } from './frame/layout.js';
import { PageContextProvider } from './frame/page-context.js';
import { Navigation } from './navigation.js';
import { type Visitor, visitorOf } from './visitor.js';

/** The parts of a page that differ from page to page. */
interface PageContent {
  readonly title: string;
  readonly heading?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly content: ComponentChildren;
  /** What the form before has done. */
  readonly message?: string | undefined;
  readonly refreshSeconds?: number;
  /** Whether it is a long text for visitors who have not logged in. Without it, their page is a small card. */
  readonly isLong?: boolean;
}

/** Renders whole pages. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly church: Church,
    private readonly navigation: Navigation,
    private readonly day: ChurchDay,
    private readonly configuration: Configuration,
  ) {}

  /** The HTML of a page for the visitor of a request. */
  render(request: Request, page: PageContent): string {
    return this.html(request.path, visitorOf(request), page);
  }

  /** The HTML of a page that is the same for all visitors, at this path. */
  renderForAll(path: string, page: PageContent): string {
    return this.html(path, undefined, page);
  }

  private html(path: string, visitor: Visitor | undefined, page: PageContent): string {
    const root = rootOf(path);
    const { church, day } = this;
    const { mode } = this.configuration;
    const context = { root, church, mode, today: day.today(), formToken: visitor?.session?.formToken };
    const title = mode === 'test' ? `Test: ${page.title}` : page.title;
    const document = (
      <PageContextProvider value={context}>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>{`${title} · ${this.church.name}`}</title>
            <link rel="icon" href={root + assetPath('icon.svg')} />
            <link rel="stylesheet" href={root + assetPath('console.css')} />
            {page.refreshSeconds !== undefined && (
              <noscript>
                <meta http-equiv="refresh" content={String(page.refreshSeconds)} />
              </noscript>
            )}
            <script type="module" src={root + assetPath('console.js')} />
          </head>
          <Layout {...page} path={path} visitor={visitor} entries={this.navigation.of(visitor)} />
        </html>
      </PageContextProvider>
    );
    return `<!doctype html>${renderToString(document)}`;
  }
}

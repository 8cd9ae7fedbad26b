import type { VNode } from 'preact';
import type { Church } from '../config/index.js';
import { Facts, Link } from '../pages/index.js';
import { EXAMPLE_ADDRESS } from './example-values.js';
import { type Guide, GUIDES } from './guides.js';
import { MarkdownBlocks } from './markdown/blocks.js';
import type { MarkdownOptions } from './markdown/inline.js';
import type { Heading, MarkdownPage } from './markdown/read-markdown.js';

/** A list of contents with more headings is folded up. */
const MOST_UNFOLDED = 30;

interface GuidePageProps extends MarkdownOptions {
  readonly guide: Guide;
  readonly page: MarkdownPage;
  readonly church: Church;
}

/** What a guide shows below its title. */
export function GuidePage({ guide, page, church, ...options }: GuidePageProps): VNode {
  const headings = [...page.headings.values()];
  return (
    <>
      <GuideNavigation current={guide} />
      <OwnValues church={church} />
      {headings.length > 1 && <Contents headings={headings} />}
      <article class="guide">
        <MarkdownBlocks page={page} {...options} />
      </article>
    </>
  );
}

/** The list of all guides. */
export function GuideList({ church }: { readonly church: Church }): VNode {
  return (
    <>
      <p>
        For developers of donation processors, and of other programs that use the API of this church. The address and
        the currency in the examples are those of this church, so you can copy them as they are.
      </p>
      <OwnValues church={church} />
      <ul class="doors">
        {GUIDES.map(({ name, label, about }) => (
          <li>
            <Link to={`/guides/${name}`}>{label}</Link>
            <span class="aside">{about}</span>
          </li>
        ))}
        <li>
          <Link to="/docs">All calls, to try</Link>
          <span class="aside">Every call with its schema, from the browser. What you record there is real.</span>
        </li>
        <li>
          <Link to="/openapi.json">OpenAPI document</Link>
          <span class="aside">
            To generate a client. For tools that do not read OpenAPI 3.1: <Link to="/openapi-3.0.json">3.0.3</Link>.
          </span>
        </li>
      </ul>
    </>
  );
}

function GuideNavigation({ current }: { readonly current: Guide }): VNode {
  return (
    <nav class="guides" aria-label="Guides">
      <ul>
        {GUIDES.map((guide) => (
          <li>
            <Link to={`/guides/${guide.name}`} current={guide === current}>
              {guide.label}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/docs">All calls, to try</Link>
        </li>
      </ul>
    </nav>
  );
}

/** What the examples take from this church. */
function OwnValues({ church: { currency, minorUnits, timeZone, country } }: { readonly church: Church }): VNode {
  return (
    <Facts
      facts={[
        ['Address of this service', <code>{EXAMPLE_ADDRESS}</code>],
        ['Currency', minorUnits === 0 ? `${currency}, amounts without decimals` : currency],
        ['Time zone', timeZone],
        ['Country of phone numbers', country],
      ]}
    />
  );
}

function Contents({ headings }: { readonly headings: readonly Heading[] }): VNode {
  return (
    <details class="contents" open={headings.length <= MOST_UNFOLDED}>
      <summary>Contents</summary>
      <nav aria-label="Contents">
        <ul>
          {headings.map(({ id, title, depth }) => (
            <li class={depth > 2 ? 'below' : undefined}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

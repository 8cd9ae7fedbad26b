import { Injectable, OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import type { VNode } from 'preact';
import {
  type Failure,
  type FailurePage,
  FailurePages as Failures,
  INTERNAL_ERROR,
  isUnderConsole,
  NOT_FOUND,
} from '../http/index.js';
import { fieldInWords, inWordsOfPages } from './forms/words-of-pages.js';
import { addressOf, pagePathOf, rootOf } from './frame/addresses.js';
import { Link } from './frame/link.js';
import { PAGE_HEADERS } from './page-headers.js';
import { PageRenderer } from './page-renderer.service.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Something in the request is not valid',
  403: 'You may not see or do this',
  404: 'Not found',
  405: 'This is not a page',
  409: 'Somebody else was faster',
  413: 'The form is too large',
  415: 'The form cannot be read',
  422: 'This is not possible',
  429: 'Too many attempts',
  503: 'Please try again in a moment',
};

/** Makes the pages of failures under /console and /guides. */
@Injectable()
export class FailurePageMaker implements OnModuleInit {
  constructor(
    private readonly failures: Failures,
    private readonly renderer: PageRenderer,
  ) {}

  onModuleInit(): void {
    this.failures.makeBy((failure, request) =>
      failure.kind.status === 401 ? toLogin(request) : this.page(failure, request),
    );
  }

  private page(failure: Failure, request: Request): FailurePage {
    const { status } = failure.kind;
    const title = TITLES[status] ?? 'Something went wrong';
    const html = this.renderer.render(request, { title, content: <FailureText {...failure} path={request.path} /> });
    return { status, headers: PAGE_HEADERS, html };
  }
}

/** To the login, and from there back to the page, or to the one with the form that was sent. */
function toLogin(request: Request): FailurePage {
  const next = request.method === 'GET' ? request.url : refererPath(request);
  const query = pagePathOf(next) === undefined ? '' : `?${new URLSearchParams({ next: next ?? '' }).toString()}`;
  const location = addressOf(rootOf(request.path), `/console/login${query}`);
  return { status: 303, headers: { ...PAGE_HEADERS, Location: location }, html: '' };
}

function refererPath({ headers: { referer = '' } }: Request): string | undefined {
  if (!URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  const begin = pathname.indexOf('/console');
  return begin === -1 ? undefined : pathname.slice(begin) + search;
}

function FailureText({ kind, detail, faults, requestId, path }: Failure & { readonly path: string }): VNode {
  return (
    <>
      <p>{kind === NOT_FOUND ? 'There is no page at this address.' : inWordsOfPages(detail, kind.code)}</p>
      {faults.length > 1 && (
        <ul>
          {faults.map(({ field, message }) => (
            <li key={field}>
              {fieldInWords(field)} {inWordsOfPages(message)}.
            </li>
          ))}
        </ul>
      )}
      {kind.status === 409 && <p>Go back and reload the page to see how it is now.</p>}
      {kind === INTERNAL_ERROR && (
        <p>
          If you report this, please add the number <code>{requestId}</code>.
        </p>
      )}
      <p>{isUnderConsole(path) ? <Link to="/console">To the home page</Link> : <Link to="/guides">All guides</Link>}</p>
    </>
  );
}

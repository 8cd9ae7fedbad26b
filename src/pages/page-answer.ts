import type { ComponentChildren } from 'preact';

interface Shown {
  /** The title of the window, and the heading unless `heading` is given. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  readonly content: ComponentChildren;
  /** Default: 200. */
  readonly status?: number;
  /** Links and buttons beside the heading. */
  readonly actions?: ComponentChildren;
  /** Shows the page again after so many seconds, while its content has a `Progress`. */
  readonly refreshSeconds?: number;
  /** The error code of a form that was refused, for the log and the metrics. */
  readonly code?: string;
}

/** A page to show. */
export class PageToShow {
  constructor(readonly shown: Shown) {}
}

/** A page to go to, after a form has done its work. */
export class PageToGoTo {
  constructor(
    readonly path: string,
    readonly message: string | undefined,
  ) {}
}

/** What the handler of a page returns. */
export type PageAnswer = PageToShow | PageToGoTo;

/** Shows a page. */
export function showPage(shown: Shown): PageAnswer {
  return new PageToShow(shown);
}

/**
 * Goes to a page after a form was processed (303), so that reloading it does not send the form again.
 * @param path such as "/console/bundles/12".
 * @param message what was done, shown on that page. It names ids and figures, never persons: it becomes a part of the address.
 */
export function goTo(path: string, message?: string): PageAnswer {
  return new PageToGoTo(path, message);
}

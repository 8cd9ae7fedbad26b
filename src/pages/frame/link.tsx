import type { ComponentChildren, VNode } from 'preact';
import { Key } from '../parts/key.js';
import { addressOf } from './addresses.js';
import { usePage } from './page-context.js';

interface LinkProps {
  /** The path of a page: "/console/bundles/12". */
  readonly to: string;
  readonly children: ComponentChildren;
  /** Whether it looks like a button: "primary" for what is usually done next. */
  readonly button?: boolean | 'primary';
  /** The single key that follows it, which the list of keys names. */
  readonly hotkey?: string;
  /** Whether it leads to the page that is shown. */
  readonly current?: boolean;
}

/**
 * A link to a page or a file of this service. It has no `download`: the file's Content-Disposition saves it. With the
 * attribute, a browser would save the login page as the file after the end of the session.
 */
export function Link({ to, children, button = false, hotkey, current = false }: LinkProps): VNode {
  return (
    <a
      href={addressOf(usePage().root, to)}
      class={button === 'primary' ? 'button primary' : button ? 'button' : undefined}
      data-hotkey={hotkey}
      aria-current={current ? 'page' : undefined}
    >
      {children}
      <Key hotkey={hotkey} />
    </a>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { Form, SubmitButton } from '../forms/form.js';
import type { NavigationEntry } from '../navigation.js';
import type { Visitor } from '../visitor.js';
import { Link } from './link.js';
import { usePage } from './page-context.js';
import { TestSystem } from './test-system.js';

interface LayoutProps {
  readonly title: string;
  readonly heading?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly content: ComponentChildren;
  readonly message?: string | undefined;
  readonly isLong?: boolean;
  readonly path: string;
  readonly visitor: Visitor | undefined;
  readonly entries: readonly NavigationEntry[];
}

/** What is around each page: the way past the navigation, the church's name, the navigation, the user, and the heading. */
export function Layout(props: LayoutProps): VNode {
  const { title, heading, actions, content, message, visitor, isLong = false } = props;
  const { mode } = usePage();
  return (
    <body class={visitor !== undefined ? 'framed' : isLong ? 'long' : 'alone'}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {mode === 'test' && <TestSystem />}
      <Banner {...props} />
      <main id="content" tabIndex={-1}>
        <div class="heading">
          <h1>{heading ?? title}</h1>
          {actions !== undefined && <div class="actions">{actions}</div>}
        </div>
        {message !== undefined && (
          <p class="message" role="status">
            {message}
          </p>
        )}
        {content}
      </main>
      {visitor !== undefined && <Keys />}
    </body>
  );
}

function Banner({ visitor, entries, path }: LayoutProps): VNode {
  const { church } = usePage();
  return (
    <header class="banner">
      <div class="church">
        {visitor === undefined ? <span>{church.name}</span> : <Link to="/console">{church.name}</Link>}
      </div>
      {entries.length > 0 && (
        <nav aria-label="Main">
          <ul>
            {entries.map(({ label, to, letter }) => (
              <li key={to}>
                <Link to={to} hotkey={`g ${letter}`} current={isWithin(path, to)}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {visitor !== undefined && <UserMenu username={visitor.username} />}
    </header>
  );
}

function UserMenu({ username }: { readonly username: string }): VNode {
  return (
    <div class="user">
      <span>{username}</span>
      <Form to="/console/logout">
        <SubmitButton kind="quiet">Log out</SubmitButton>
      </Form>
      <button type="button" class="quiet" id="show-keys" aria-haspopup="dialog" hidden>
        Shortcuts
      </button>
    </div>
  );
}

/** Filled by console.js, and without JavaScript never shown. */
function Keys(): VNode {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keyboard shortcuts of this page</h2>
      <dl id="keys-list" />
      <p>
        <label>
          <input type="checkbox" id="keys-on" /> Shortcuts of a single key are on
        </label>
      </p>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

/** Whether a page is that of a navigation entry, or below it. The home page is only itself. */
function isWithin(path: string, to: string): boolean {
  const shown = path.replace(/\/$/, '');
  return shown === to || (to !== '/console' && shown.startsWith(`${to}/`));
}

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Church, Mode } from '../../config/index.js';

/** What the parts of a page need to know about the request and the church. */
export interface PageContext {
  /** Where "/" is, relative to the address of the page. Addresses on a page are relative, so that a proxy may add a path. */
  readonly root: string;
  readonly church: Church;
  readonly mode: Mode;
  /** The present day in church time, YYYY-MM-DD. */
  readonly today: string;
  /** The text that each form of the session must contain; undefined for visitors who have not logged in. */
  readonly formToken: string | undefined;
}

const Context = createContext<PageContext | undefined>(undefined);

/** Gives the parts within it a {@link PageContext}. */
export const PageContextProvider = Context.Provider;

/** The context of the page on which a part is. */
export function usePage(): PageContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('A part of a page is only rendered within a page');
  return context;
}

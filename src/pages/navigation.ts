import { Injectable } from '@nestjs/common';
import type { Visitor } from './visitor.js';

/** A page in the navigation. The part whose page it is declares it. */
export interface NavigationEntry {
  readonly label: string;
  /** The path of the page: "/console/bundles". */
  readonly to: string;
  /** The letter that follows "g" on the keyboard. No two entries have the same. */
  readonly letter: string;
  /** Entries are listed by ascending position. */
  readonly position: number;
  /** Users with one of these roles see the entry. The same as in the page's `@Page`. */
  readonly roles: readonly string[];
}

/** The navigation of the console. Modules add their entries when they start. */
@Injectable()
export class Navigation {
  private readonly entries: NavigationEntry[] = [];

  /** @throws Error if another entry has the same letter or position. */
  add(entry: NavigationEntry): void {
    const other = this.entries.find(({ letter, position }) => letter === entry.letter || position === entry.position);
    if (other !== undefined) throw new Error(`The navigation entries ${other.label} and ${entry.label} conflict`);
    this.entries.push(entry);
    this.entries.sort((a, b) => a.position - b.position);
  }

  /** The entries that a visitor sees; none for somebody who has not logged in. */
  of(visitor: Visitor | undefined): readonly NavigationEntry[] {
    return this.entries.filter(({ roles }) => roles.some((role) => visitor?.roles.has(role)));
  }
}

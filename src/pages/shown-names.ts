import { Injectable } from '@nestjs/common';

/** Names by ids. */
export type Names = ReadonlyMap<number, string>;

/** What pages show in place of ids. Modules add the names of what is theirs when they start, such as those of funds. */
@Injectable()
export class ShownNames {
  private readonly sources = new Map<string, () => Promise<Names>>();

  /** @param kind as ids of it are called: "fund" for `fundId` and `toFundId`. @param read all of them, which are few. */
  add(kind: string, read: () => Promise<Names>): void {
    this.sources.set(kind, read);
  }

  /** All names, by kind. */
  async all(): Promise<ReadonlyMap<string, Names>> {
    const named = [...this.sources].map(async ([kind, read]) => [kind, await read()] as const);
    return new Map(await Promise.all(named));
  }
}

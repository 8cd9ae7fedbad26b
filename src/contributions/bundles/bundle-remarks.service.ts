import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';

/** What somebody should know before a bundle is closed, by the id of the bundle: a sentence with links. */
export type Remarks = ReadonlyMap<number, readonly ComponentChildren[]>;

type FindRemarks = (bundleIds: readonly number[]) => Promise<ReadonlyMap<number, ComponentChildren>>;

/** What other parts have to say of an open bundle. They add it when they start. */
@Injectable()
export class BundleRemarks {
  private readonly finders: FindRemarks[] = [];

  /** @param find returns a sentence for each bundle of which there is something to say. */
  add(find: FindRemarks): void {
    this.finders.push(find);
  }

  /** The sentences about these bundles. */
  async of(bundleIds: readonly number[]): Promise<Remarks> {
    const found = await Promise.all(this.finders.map((find) => find(bundleIds)));
    return new Map(bundleIds.map((id) => [id, found.flatMap((remarks) => (remarks.has(id) ? [remarks.get(id)] : []))]));
  }
}

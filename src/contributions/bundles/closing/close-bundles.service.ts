import { Injectable } from '@nestjs/common';
import { ExpectedError, expectedErrorOf } from '../../../http/index.js';
import type { BundleDetails } from '../bundle-view.js';
import { Bundles, type CloseBundleCommand } from '../bundles.service.js';

/** The result of one bundle: closed, or refused. */
export type ClosingResult = BundleDetails | ExpectedError;

/** Closes several bundles. */
@Injectable()
export class CloseBundles {
  constructor(private readonly bundles: Bundles) {}

  /**
   * Closes the bundles in the order given, each in a transaction of its own: one that is refused does not keep the others
   * from being closed. If it throws, some may be closed; closing them again has no effect.
   * @returns a result for each bundle, in the same order.
   */
  async close(commands: readonly CloseBundleCommand[]): Promise<readonly ClosingResult[]> {
    const results: ClosingResult[] = [];
    for (const command of commands) results.push(await this.closeOrRefuse(command));
    return results;
  }

  private async closeOrRefuse(command: CloseBundleCommand): Promise<ClosingResult> {
    try {
      return await this.bundles.close(command);
    } catch (error) {
      const expected = expectedErrorOf(error);
      if (expected === undefined) throw error;
      return expected;
    }
  }
}

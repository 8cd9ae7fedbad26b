import { Injectable } from '@nestjs/common';

/** Something that needs attention but must not turn gifts away; undefined when all is well. */
export type HealthWarning = () => Promise<string | undefined>;

/** Where modules hand in what readiness should warn of. */
@Injectable()
export class HealthWarnings {
  private readonly warnings: HealthWarning[] = [];

  /** Asks this with every readiness check. */
  add(warning: HealthWarning): void {
    this.warnings.push(warning);
  }

  /** What needs attention now. */
  async current(): Promise<string[]> {
    const answers = await Promise.all(this.warnings.map((warning) => warning()));
    return answers.filter((answer) => answer !== undefined);
  }
}

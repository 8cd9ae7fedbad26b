import { Injectable } from '@nestjs/common';

/** Returns what needs attention but is no reason to refuse gifts, or undefined when all is well. */
export type HealthWarning = () => Promise<string | undefined>;

/** What needs attention, for Finance: `GET /Api/Warnings`. Modules add their warnings when they start. */
@Injectable()
export class HealthWarnings {
  private readonly warnings: HealthWarning[] = [];

  /** Adds a warning. It may take a statement of the database. */
  add(warning: HealthWarning): void {
    this.warnings.push(warning);
  }

  /** What needs attention now. */
  async current(): Promise<string[]> {
    const answers = await Promise.all(this.warnings.map((warning) => warning()));
    return answers.filter((answer) => answer !== undefined);
  }
}

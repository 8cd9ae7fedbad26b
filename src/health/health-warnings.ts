import { Injectable } from '@nestjs/common';

/** Returns what needs attention but is no reason to refuse gifts, or undefined when all is well. */
export type HealthWarning = () => Promise<string | undefined>;

/** What needs attention, for Finance: `GET /Api/Warnings`. Modules add their warnings when they start. */
@Injectable()
export class HealthWarnings {
  private readonly warnings: { readonly warning: HealthWarning; readonly isTask: boolean }[] = [];

  /**
   * Adds a warning. It may take a statement of the database.
   * @param isTask whether the home page of the console shows the same as a task, so that it need not show it twice.
   */
  add(warning: HealthWarning, { isTask = false } = {}): void {
    this.warnings.push({ warning, isTask });
  }

  /** What needs attention now. */
  async current({ besideTasks = false } = {}): Promise<string[]> {
    const chosen = this.warnings.filter(({ isTask }) => !(besideTasks && isTask));
    const answers = await Promise.all(chosen.map(({ warning }) => warning()));
    return answers.filter((answer) => answer !== undefined);
  }
}

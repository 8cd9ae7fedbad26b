import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';

/** Something on the home page that waits for somebody. */
export interface Task {
  /** How many wait. */
  readonly count: number;
  /** What they are: "open reviews". */
  readonly label: string;
  /** The page on which it is handled; undefined while there is none. */
  readonly to?: string;
}

type FindTask = () => Promise<Task | undefined>;
type MakePanel = () => Promise<ComponentChildren>;

/** What the home page shows. Modules add their tasks and pictures when they start. */
@Injectable()
export class HomeParts {
  private readonly tasks: FindTask[] = [];
  private readonly panels: MakePanel[] = [];

  /** @param find returns undefined while nothing waits. */
  addTask(find: FindTask): void {
    this.tasks.push(find);
  }

  /** @param make a picture below the tasks. */
  addPanel(make: MakePanel): void {
    this.panels.push(make);
  }

  /** What waits now. */
  async currentTasks(): Promise<Task[]> {
    const found = await Promise.all(this.tasks.map((find) => find()));
    return found.filter((task) => task !== undefined);
  }

  /** The pictures. */
  async currentPanels(): Promise<ComponentChildren[]> {
    return Promise.all(this.panels.map((make) => make()));
  }
}

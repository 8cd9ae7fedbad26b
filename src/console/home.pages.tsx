import { Get, OnModuleInit } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { BOOK_READERS, Page } from '../auth/index.js';
import { HealthWarnings } from '../health/index.js';
import { HomeParts, Link, Navigation, type PageAnswer, PagesUnder, showPage, type Task } from '../pages/index.js';

/** The first page after the login: what waits for somebody, and how the last months went. */
@PagesUnder('')
export class HomePages implements OnModuleInit {
  constructor(
    private readonly parts: HomeParts,
    private readonly warnings: HealthWarnings,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Home', to: '/console', letter: 'h', position: 0, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async show(): Promise<PageAnswer> {
    const tasks = await this.parts.currentTasks();
    const warnings = await this.warnings.current({ besideTasks: true });
    const panels = await this.parts.currentPanels();
    return showPage({ title: 'Home', content: <Home tasks={tasks} warnings={warnings} panels={panels} /> });
  }
}

interface HomeProps {
  readonly tasks: readonly Task[];
  readonly warnings: readonly string[];
  readonly panels: readonly ComponentChildren[];
}

function Home({ tasks, warnings, panels }: HomeProps): VNode {
  return (
    <>
      <section aria-labelledby="to-do">
        <h2 id="to-do">To do</h2>
        {tasks.length === 0 && warnings.length === 0 ? <p class="empty">Nothing to do.</p> : null}
        {tasks.length > 0 && (
          <ul class="tasks">
            {tasks.map((task) => (
              <li key={task.label}>
                <TaskText {...task} />
              </li>
            ))}
          </ul>
        )}
        {warnings.length > 0 && (
          <ul class="warnings">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </section>
      {panels}
    </>
  );
}

function TaskText({ count, label, to }: Task): VNode {
  const text = (
    <>
      <strong>{count}</strong> {label}
    </>
  );
  return to === undefined ? <span>{text}</span> : <Link to={to}>{text}</Link>;
}

import type { ComponentChildren, VNode } from 'preact';

interface ProgressProps {
  /** What is done: "Rows that were tried". */
  readonly label: string;
  readonly done: number;
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
  /** As in `refreshSeconds` of the page. */
  readonly refreshSeconds: number;
  /** The progress in words. Screen readers say it when it changes. */
  readonly children: ComponentChildren;
}

/**
 * The progress of work that goes on without the page. console.js replaces it now and then, and loads the page again when
 * there is none any more. Without JavaScript the browser loads the page again.
 */
export function ProgressOfWork({ label, done, total, refreshSeconds, children }: ProgressProps): VNode {
  return (
    <section class="progress" data-follow={refreshSeconds}>
      <progress aria-label={label} value={total === undefined ? undefined : done} max={total} />
      <p role="status">{children}</p>
    </section>
  );
}

import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Above each page of a test system, also when it is printed: what is here is not real. */
export function TestSystem(): VNode {
  return (
    <section class="test-system" aria-label="Test system">
      <p>
        <strong>Test system.</strong> The gifts and people here are not real, and everything may be deleted at any time.
      </p>
    </section>
  );
}

/** The same as HTML, for a page that is not made with the frame. */
export function testSystemHtml(): string {
  return renderToString(<TestSystem />);
}

import type { VNode } from 'preact';
import { Key } from './key.js';

/** Prints the page. Shown by console.js: without JavaScript the browser's own menu prints. */
export function PrintButton(): VNode {
  return (
    <button type="button" class="button" data-print data-hotkey="p" hidden>
      Print
      <Key hotkey="p" />
    </button>
  );
}

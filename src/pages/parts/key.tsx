import type { VNode } from 'preact';

/**
 * The single key of a button or a link, after its label. It is no part of the accessible name: the list of keys names it.
 * The style sheet shows it only where there is a keyboard, and console.js hides it while single keys are off.
 */
export function Key({ hotkey }: { readonly hotkey: string | undefined }): VNode | null {
  if (hotkey?.length !== 1) return null;
  return (
    <kbd class="key" aria-hidden="true">
      {hotkey}
    </kbd>
  );
}

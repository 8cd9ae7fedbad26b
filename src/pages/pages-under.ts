import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { RenderPages } from './render-pages.interceptor.js';

/**
 * A controller of pages. Its handlers return `showPage(…)` or `goTo(…)`, and have `@Page(…roles)`.
 * @param path below /console: "bundles". Empty for /console itself.
 */
export function PagesUnder(path: string): ClassDecorator {
  return applyDecorators(Controller(path === '' ? 'console' : `console/${path}`), UseInterceptors(RenderPages));
}

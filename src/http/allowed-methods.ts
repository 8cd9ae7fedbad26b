import type { Application } from 'express';

interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * The methods of the routes with this path, for the header `Allow`; empty when no route has this path.
 * Nest answers 404 to a wrong method, so this searches Express's router.
 */
export function allowedMethods(app: Application, path: string): string[] {
  const layers = (app as unknown as { router: { stack: RouterLayer[] } }).router.stack;
  const methods = new Set<string>();
  for (const layer of layers) {
    if (layer.route === undefined || !layer.match(path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

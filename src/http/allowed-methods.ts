import type { Application } from 'express';

interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * The methods that some route takes at this path, for `Allow`; empty when the path is nobody's.
 * Nest answers 404 to a wrong method, so the router's own routes are asked once none has matched.
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

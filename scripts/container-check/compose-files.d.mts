/** The environment of a service in the compose files, where later files override earlier ones; undefined without one. */
export function environmentOf(
  service: string,
  files: readonly (string | URL)[],
  variables: Readonly<Record<string, string>>,
): Record<string, string> | undefined;

/** Compose's substitution of variables. */
export function interpolate(text: string, environment: Readonly<Record<string, string>>): string;

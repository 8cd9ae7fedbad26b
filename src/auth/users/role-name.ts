/** All roles (contract, "Reference data"). Other names are refused. */
export const ROLE_NAMES = ['Developer', 'APIOnly', 'APIWrite', 'Finance', 'Auditor'] as const;

export type RoleName = (typeof ROLE_NAMES)[number];

/** The roles that open the console: each lets its users log in there. */
export const CONSOLE_ROLES = ['Finance', 'Auditor'] as const satisfies readonly RoleName[];

/** The roles that see everything in the books. Only Finance also changes them. */
export const BOOK_READERS = ['Finance', 'Auditor'] as const satisfies readonly RoleName[];

/** True for the exact name of a role. */
export function isRoleName(text: string): text is RoleName {
  return (ROLE_NAMES as readonly string[]).includes(text);
}

/** All roles (contract, "Reference data"). Other names are refused. */
export const ROLE_NAMES = ['Developer', 'APIOnly', 'APIWrite', 'Finance'] as const;

export type RoleName = (typeof ROLE_NAMES)[number];

/** True for the exact name of a role. */
export function isRoleName(text: string): text is RoleName {
  return (ROLE_NAMES as readonly string[]).includes(text);
}

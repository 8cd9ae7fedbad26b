/** An SQL expression: the names of a user's roles, as an array. @param userId an SQL expression for the user's id. */
export function rolesOf(userId: string): string {
  return `ARRAY(SELECT r.name FROM app_user_role ur JOIN role r ON r.id = ur.role_id WHERE ur.user_id = ${userId})`;
}

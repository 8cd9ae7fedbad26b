const IDLE_MINUTES = 30;
const LIFETIME_HOURS = 12;

/** An SQL condition: the session `s` has not expired. By the database's clock, so that all replicas agree. */
export const IS_UNEXPIRED = `s.last_used_at > now() - interval '${IDLE_MINUTES} minutes'
  AND s.created_at > now() - interval '${LIFETIME_HOURS} hours'`;

/** An SQL condition: the user `u` is active, and has the password with which the session `s` began. */
export const IS_OF_USER = `u.active AND s.password_digest = sha256(convert_to(u.password_hash, 'UTF8'))`;

import { getMetadataArgsStorage } from 'typeorm';

/** The service's rights on a table besides SELECT: a list of columns, or true for whole rows. */
export interface TableRights {
  readonly insert?: true | readonly string[];
  readonly update?: readonly string[];
  readonly delete?: true;
}

/** The rights on an entity's table, and on the junction tables of its relations. */
interface EntityRights extends TableRights {
  readonly junctions?: Readonly<Record<string, TableRights>>;
}

const RIGHTS = Symbol('rights of the service');

/**
 * Declares the rights that the service's role needs on an entity's table: those that the statements in src/ need, and
 * no others. `update` lists the columns that are ever changed; FOR SHARE and FOR UPDATE need this right as well. Remove
 * a right in a later release than the code that needs it. Add a right together with a migration, even an empty one,
 * because from it an older program knows that its own list of rights is outdated.
 */
export function ServiceRights(rights: EntityRights): ClassDecorator {
  return (entity) => {
    Reflect.defineMetadata(RIGHTS, rights, entity);
  };
}

/** Tables without an entity: TypeORM's own, and one that only next_id() writes, with the owner's rights. */
export const RIGHTS_OF_OTHER_TABLES: Readonly<Record<string, TableRights>> = { migrations: {}, dry_run: {} };

/** The rights on each table of `public`, by name. @throws Error for an entity without `@ServiceRights`. */
export function rightsByTable(entities: readonly Entity[]): Record<string, TableRights> {
  return { ...RIGHTS_OF_OTHER_TABLES, ...Object.fromEntries(entities.flatMap(rightsOf)) };
}

/** The tables of an entity: its own, and the junction tables of its relations. @throws Error as {@link rightsByTable}. */
export function tablesOf(entity: Entity): string[] {
  return rightsOf(entity).map(([table]) => table);
}

function rightsOf(entity: Entity): (readonly [table: string, rights: TableRights])[] {
  const rights = Reflect.getMetadata(RIGHTS, entity) as EntityRights | undefined;
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (rights === undefined || table === undefined) throw new Error(`${entity.name} needs @Entity and @ServiceRights`);
  const { junctions, ...own } = rights;
  return [[table, own], ...Object.entries(junctions ?? {})];
}

/** An entity class. */
export type Entity = new () => object;

/**
 * The functions that act with the owner's rights and change something, so that only the service's role may call them:
 * for the ids of a gift's rows, for changes of users and tokens, for sessions, and for seals (ADR 42). Other tables have identity columns, which need no right.
 */
export const SERVICE_FUNCTIONS: readonly string[] = [
  'next_id',
  'create_user',
  'set_user_password',
  'set_user_email',
  'set_user_active',
  'grant_user_roles',
  'revoke_user_roles',
  'create_api_token',
  'revoke_api_token',
  'begin_session',
  'change_own_password',
  'add_audit_seal',
].map((name) => `public.${name}`);

/** For replicas of the previous release, whose jobs are in these tables, and to take over their jobs (ADR 36). */
const QUEUE_RIGHTS: readonly string[] = [
  'GRANT SELECT ON pgboss.version, pgboss.queue TO %s',
  'GRANT UPDATE (maintained_on) ON pgboss.version TO %s',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON pgboss.job, pgboss.archive TO %s',
];

/**
 * The statements that give a role exactly these rights on the owner's tables, whatever it had before. The owner must
 * run them in one transaction.
 * @param role quoted as an identifier
 * @param entities whose `@ServiceRights` are granted
 * @param owned the owner's tables, quoted. The owner cannot revoke rights on the tables of others, such as a report.
 */
export function grantStatements(role: string, entities: readonly Entity[], owned: readonly string[]): string[] {
  return [
    `REVOKE ALL ON ${owned.join(', ')} FROM ${role}`,
    `REVOKE ALL ON SCHEMA public, pgboss FROM ${role}`,
    `GRANT USAGE ON SCHEMA public, pgboss TO ${role}`,
    ...Object.entries(rightsByTable(entities)).map(
      ([table, rights]) => `GRANT ${privilegeList(rights)} ON public.${table} TO ${role}`,
    ),
    `GRANT EXECUTE ON FUNCTION ${SERVICE_FUNCTIONS.join(', ')} TO ${role}`,
    ...QUEUE_RIGHTS.map((statement) => statement.replace('%s', role)),
  ];
}

function privilegeList({ insert, update, delete: remove }: TableRights): string {
  return [
    'SELECT',
    ...(insert === undefined ? [] : [insert === true ? 'INSERT' : `INSERT (${insert.join(', ')})`]),
    ...(update === undefined ? [] : [`UPDATE (${update.join(', ')})`]),
    ...(remove === undefined ? [] : ['DELETE']),
  ].join(', ');
}

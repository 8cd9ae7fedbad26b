import { getMetadataArgsStorage } from 'typeorm';

/** What the service does in a table besides reading it: columns where it is few of them, true where it is whole rows. */
export interface TableRights {
  readonly insert?: true | readonly string[];
  readonly update?: readonly string[];
  readonly delete?: true;
}

/** What {@link ServiceRights} says of an entity's table, and of the junction tables of its relations. */
interface EntityRights extends TableRights {
  readonly junctions?: Readonly<Record<string, TableRights>>;
}

const RIGHTS = Symbol('rights of the service');

/**
 * The rights that the service's role needs in an entity's table: those of the statements in src/, and no others. Columns of
 * `update` are those that are ever changed, which FOR SHARE and FOR UPDATE ask for as well. Take rights away in a later
 * release than the code that needs them. Give rights together with a migration, even an empty one: from it an older program
 * knows that its own rights are outdated.
 */
export function ServiceRights(rights: EntityRights): ClassDecorator {
  return (entity) => {
    Reflect.defineMetadata(RIGHTS, rights, entity);
  };
}

/** Tables that have no entity: TypeORM's own, and one that only next_id() writes, with the owner's rights. */
const WITHOUT_ENTITY: Readonly<Record<string, TableRights>> = { migrations: {}, dry_run: {} };

/** The rights in each table of `public`, by its name. @throws Error for an entity without `@ServiceRights`. */
export function rightsByTable(entities: readonly Entity[]): Record<string, TableRights> {
  const ofEntities = entities.flatMap((entity) => {
    const rights = Reflect.getMetadata(RIGHTS, entity) as EntityRights | undefined;
    const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
    if (rights === undefined || table === undefined) throw new Error(`${entity.name} needs @Entity and @ServiceRights`);
    const { junctions, ...own } = rights;
    return [[table, own] as const, ...Object.entries(junctions ?? {})];
  });
  return { ...WITHOUT_ENTITY, ...Object.fromEntries(ofEntities) };
}

/** An entity class. */
export type Entity = new () => object;

/** For replicas of the release before, whose jobs are in these tables, and to take such jobs over (ADR 36). */
const QUEUE_RIGHTS: readonly string[] = [
  'GRANT SELECT ON pgboss.version, pgboss.queue TO %s',
  'GRANT UPDATE (maintained_on) ON pgboss.version TO %s',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON pgboss.job, pgboss.archive TO %s',
];

/**
 * The statements that give a role exactly these rights on the owner's tables, whatever it had before; to be run by the owner in
 * one transaction.
 * @param role quoted as an identifier
 * @param entities whose `@ServiceRights` are given
 * @param owned the owner's tables, quoted: of what somebody else keeps beside them, a report say, the owner may take
 * nothing away
 */
export function grantStatements(role: string, entities: readonly Entity[], owned: readonly string[]): string[] {
  return [
    `REVOKE ALL ON ${owned.join(', ')} FROM ${role}`,
    `REVOKE ALL ON SCHEMA public, pgboss FROM ${role}`,
    `GRANT USAGE ON SCHEMA public, pgboss TO ${role}`,
    ...Object.entries(rightsByTable(entities)).map(
      ([table, rights]) => `GRANT ${listed(rights)} ON public.${table} TO ${role}`,
    ),
    // The ids of a gift's rows; those of others come by their identity columns, which need no right.
    `GRANT EXECUTE ON FUNCTION public.next_id TO ${role}`,
    ...QUEUE_RIGHTS.map((statement) => statement.replace('%s', role)),
  ];
}

function listed({ insert, update, delete: remove }: TableRights): string {
  return [
    'SELECT',
    ...(insert === undefined ? [] : [insert === true ? 'INSERT' : `INSERT (${insert.join(', ')})`]),
    ...(update === undefined ? [] : [`UPDATE (${update.join(', ')})`]),
    ...(remove === undefined ? [] : ['DELETE']),
  ].join(', ');
}

import { type Entity, RIGHTS_OF_OTHER_TABLES, tablesOf } from '../migrating/service-rights.js';

/**
 * What a reset of a test system does with the rows of a table: they are deleted, or they stay; or those are deleted for which an SQL
 * condition holds.
 */
export type FateOfRows = 'emptied' | 'kept' | { readonly deletedWhere: string };

const FATE = Symbol('what a reset of a test system does');

/**
 * Declares what `offertory test reset` does with the rows of an entity's table, and of the junction tables of its relations.
 * What is recorded from gifts is emptied. Users and what the operator has set up are kept (ADR 61).
 */
export function AfterTestReset(fate: FateOfRows): ClassDecorator {
  return (entity) => {
    Reflect.defineMetadata(FATE, fate, entity);
  };
}

/** What a reset does with each table of `public`, by name. @throws Error for an entity without `@AfterTestReset`. */
export function fateByTable(entities: readonly Entity[]): ReadonlyMap<string, FateOfRows> {
  const ofEntities = entities.flatMap((entity) => {
    const fate = Reflect.getMetadata(FATE, entity) as FateOfRows | undefined;
    if (fate === undefined) throw new Error(`${entity.name} needs @AfterTestReset`);
    return tablesOf(entity).map((table) => [table, fate] as const);
  });
  const others = Object.keys(RIGHTS_OF_OTHER_TABLES).map((table) => [table, 'kept'] as const);
  return new Map<string, FateOfRows>([...others, ...ofEntities]);
}

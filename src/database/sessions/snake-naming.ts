import { DefaultNamingStrategy } from 'typeorm';

/** The column of `firstName` is `first_name`, unless the entity names another. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    if (customName !== undefined) return customName;
    return [...prefixes, propertyName].join('_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

import { DefaultNamingStrategy } from 'typeorm';

/** Names the column of `firstName` `first_name`, unless the entity has another name for it. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    if (customName !== undefined) return customName;
    return [...prefixes, propertyName].join('_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

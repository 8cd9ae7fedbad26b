import { hash } from 'node:crypto';
import type { Person } from '../person.entity.js';

/** Hexadecimal digits of a version. */
const LENGTH = 16;

/**
 * The version of a person: a text that differs whenever one of the details differs that can be edited, or the person was
 * merged. It is computed, so that changes by other programs count, too.
 */
export function versionOf(person: Person): string {
  const { firstName, lastName, nickname, formerLastName, email, phone, address, zip, deceased, mergedInto } = person;
  const details = [firstName, lastName, nickname, formerLastName, email, phone, address, zip, deceased, mergedInto];
  return hash('sha256', JSON.stringify(details), 'hex').slice(0, LENGTH);
}

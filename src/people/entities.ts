import { Contact } from './contacts/contact.entity.js';
import { MatchKey } from './matching/match-key.entity.js';
import { Person } from './person.entity.js';
import { Folding } from './refolding/folding.entity.js';
import { PersonToFold } from './refolding/person-to-fold.entity.js';
import { PersonTerm } from './searching/person-term.entity.js';
import { PersonToIndex } from './searching/person-to-index.entity.js';

/** The tables of people. */
export const PEOPLE_ENTITIES = [Person, Contact, MatchKey, Folding, PersonToFold, PersonTerm, PersonToIndex];

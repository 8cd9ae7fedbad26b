import { lookup, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** The connection would go to an address that is not public. */
export class PrivateAddressError extends Error {
  constructor() {
    super('The address is not public.');
  }
}

/**
 * Finds the addresses of a host name for a connection, and refuses the name if one of them is not public. The connection goes to
 * what was checked: there is no second look-up whose answer could differ.
 */
export const publicLookup: LookupFunction = (hostname, options: LookupOptions, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, []);
      return;
    }
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new PrivateAddressError(), []);
      return;
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

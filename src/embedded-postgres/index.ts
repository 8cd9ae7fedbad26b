export { openEmbeddedDatabase } from './embedded-database.js';
export { MovedMarker } from './moved-marker.js';
export { openConfiguredDatabase } from './open-configured-database.js';
export { defaultDataDir } from './data-dir/server-user.js';

export { openEmbeddedDatabase } from './embedded-database.js';
export { MovedMarker } from './moved-marker.js';
export { openDatabase } from './open-database.js';
export { defaultDataDir } from './data-dir/server-user.js';

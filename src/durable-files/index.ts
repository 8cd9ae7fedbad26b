export { removeDurably, renameDurably, syncDirectory } from './durable-files.js';

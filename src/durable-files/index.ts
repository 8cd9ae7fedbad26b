export { createFile, removeDurably, renameDurably, syncDirectory } from './durable-files.js';

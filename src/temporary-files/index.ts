export { makeTemporaryDirectory, removeLeftDirectories } from './temporary-directory.js';

export { moveCommand } from './move.command.js';

export { testCommand } from './test.command.js';
export { TestModeModule } from './test-mode.module.js';

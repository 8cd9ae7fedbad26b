export { GuidesModule } from './guides.module.js';

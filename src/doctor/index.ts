export { doctorCommand } from './doctor.command.js';
export { DoctorModule } from './doctor.module.js';
export { FaultWatch } from './fault-watch.js';

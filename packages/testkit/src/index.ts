export { answeredPath } from './answered.ts'
export { runApart } from './apart.ts'
export { type Disagreement, runConsoleBlocks } from './console-blocks.ts'
export { type FaultRule, faultEnv } from './fault.ts'
export { removeBusy, script, tempFolder } from './folder.ts'
export { heeding } from './heeding.ts'
export { meter, type Taken } from './meter.ts'
export { itWith } from './needs.ts'
export { type OtherUser, otherUser } from './other-user.ts'
export { outOfTime } from './out-of-time.ts'
export { git, tempRepo } from './repo.ts'
export {
  bin,
  cleanEnv,
  type Finished,
  type RunOptions,
  run,
  runAlone,
  runAsPerson,
  type Started,
  start,
  type ToolName,
  trust,
} from './run.ts'
export { full, scaled } from './scaled.ts'
export { stopped } from './stopped.ts'
export { openTerminal, type Terminal } from './terminal.ts'
export { toolPath } from './tool-path.ts'

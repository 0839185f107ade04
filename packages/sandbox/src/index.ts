export { agentsIn } from './agents.ts'
export { findPlace } from './find-place.ts'
export { openSandbox, type Sandbox } from './open-sandbox.ts'
export type { OuterPlace } from './outer-git.ts'

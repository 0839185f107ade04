export type { Context, Input, Output, OutputMode, Shown } from './context.ts'
export { runCli } from './run.ts'
export type { Candidates, Tool } from './tool.ts'
export {
  type ArgSpec,
  type ArgsOf,
  type Call,
  defineVerb,
  type FlagSpec,
  type FlagsOf,
  type Verb,
  type VerbSpec,
} from './verb.ts'
export type { VerbGuide } from './verb-guide.ts'

export { type AppendOptions, appendLine, appendLines, type Position } from './append.ts'
export { type CorruptLine, checkLog, faultOf, isConflictMarker, type LogCheck } from './check.ts'
export {
  appendConditional,
  appendConditionalNow,
  conditionalLines,
  countsAsHead,
  foldHead,
  isExpected,
  validIds,
} from './conditional.ts'
export { type Checkpoint, type Cursor, cursorAt, resolveCursor } from './cursor.ts'
export {
  countMissed,
  dropSegments,
  type Extent,
  findDroppable,
  finishDropped,
  isDropUnfinished,
  type Retention,
  type Survey,
  surveyFile,
} from './drop.ts'
export { type Dropped, readDropped } from './dropped.ts'
export { findLinesBackwards, findLinesBefore, findLinesNear } from './find-lines.ts'
export { type FollowOptions, follow } from './follow.ts'
export { type Head, Judge, type LineVerdict, repeatBytesMax, type TakesPart } from './judge.ts'
export { type LockState, lockState } from './lock-state.ts'
export type { Start } from './log-reader.ts'
export { isTooDeep, parseRecord } from './parse.ts'
export { offsetsOf, type Progress, progressAtEnd, progressBehind, type Reading, readOn } from './progress.ts'
export { type From, type Line, type LogPlace, readLines } from './read.ts'
export { readLinesBackwards } from './read-backwards.ts'
export { markSealed, seal } from './seal.ts'
export { holdLock, type SectionOptions, transact } from './section.ts'
export { isSegmentUlid, logExists, readInto, type Segment, segmentsOf } from './segments.ts'
export { watchFolders } from './watch.ts'

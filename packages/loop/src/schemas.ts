import { guardExplanation, guardRule, guardVerdict } from '@switchyard/guard/guard-schema'
import { z } from 'zod'
import { anchorSchema } from './anchor/anchor-schema.ts'
import { preview } from './by-hand/preview-schema.ts'
import { controlResult } from './by-hook/control-schema.ts'
import { startResult } from './by-hook/start-schema.ts'
import { onceResult } from './by-runner/once-schema.ts'
import { configSchema } from './config/config-schema.ts'
import { initiated } from './config/init-schema.ts'
import { finding } from './doctor/finding-schema.ts'
import { installed } from './install/install-schema.ts'
import { droppedEntry, listedEntry } from './land/queue-schema.ts'
import { verification } from './land/verification-schema.ts'
import { notice, postedNotice } from './notify/notice-schema.ts'
import { pluginBuilt, pluginReport } from './plugin/plugin-schema.ts'
import { bindingEvent } from './record/binding-schema.ts'
import { givenOpinionSchema } from './review/opinion-schema.ts'
import { postedReviewSchema, reviewStatusSchema } from './review/review-schema.ts'
import { issueResult, loopEvent } from './state/event-schema.ts'
import { runStatus } from './state/status-schema.ts'
import { replayResult, traceRecord } from './trace/trace-schema.ts'
import { trustResultSchema } from './trust/trust-schema.ts'
import { removedWorktree, salvagedWork, worktreeFacts } from './worktree/worktree-schema.ts'

/** The records of `loop` as JSON Schemas, for `loop schema`. */
export const schemas = {
  anchor: z.toJSONSchema(anchorSchema),
  binding: z.toJSONSchema(bindingEvent),
  config: z.toJSONSchema(configSchema, { io: 'input' }),
  control: z.toJSONSchema(controlResult),
  init: z.toJSONSchema(initiated),
  dropped: z.toJSONSchema(droppedEntry),
  event: z.toJSONSchema(loopEvent),
  opinion: z.toJSONSchema(givenOpinionSchema),
  finding: z.toJSONSchema(finding),
  installed: z.toJSONSchema(installed),
  preview: z.toJSONSchema(preview),
  'posted-notice': z.toJSONSchema(postedNotice),
  queued: z.toJSONSchema(listedEntry),
  notice: z.toJSONSchema(notice),
  'plugin-built': z.toJSONSchema(pluginBuilt),
  'plugin-report': z.toJSONSchema(pluginReport),
  verdict: z.toJSONSchema(guardVerdict),
  explanation: z.toJSONSchema(guardExplanation),
  rule: z.toJSONSchema(guardRule),
  once: z.toJSONSchema(onceResult),
  result: z.toJSONSchema(issueResult),
  replay: z.toJSONSchema(replayResult),
  start: z.toJSONSchema(startResult),
  review: z.toJSONSchema(postedReviewSchema),
  'review-status': z.toJSONSchema(reviewStatusSchema),
  status: z.toJSONSchema(runStatus),
  worktree: z.toJSONSchema(worktreeFacts),
  'removed-worktree': z.toJSONSchema(removedWorktree),
  salvage: z.toJSONSchema(salvagedWork),
  trace: z.toJSONSchema(traceRecord),
  trust: z.toJSONSchema(trustResultSchema),
  verification: z.toJSONSchema(verification),
}

import { findingSchema } from '@switchyard/topic/examine/finding-schema'
import { z } from 'zod'
import { agentSchema } from './agents/agent-schema.ts'
import { answerSchemas } from './answer-schema.ts'
import { settingSchema } from './config/config-schema.ts'
import { pausedSchema } from './end/paused-schema.ts'
import { envelopeSchema } from './envelope-schema.ts'
import { gcSchema } from './gc/gc-schema.ts'
import { setupSchema } from './install/setup-schema.ts'
import { replaySchema } from './replay/replay-schema.ts'
import { activitySchema } from './session/activity-schema.ts'
import { sessionEvent } from './session/event-schema.ts'
import { sessionSchema, waitedSchema } from './session/session-schema.ts'
import { statSchema } from './stats/stat-schema.ts'
import { stepSchema } from './trajectory/step-schema.ts'
import { workflowResult } from './workflow/phase-schema.ts'
import { markSchema } from './worktree/mark-schema.ts'
import { worktreeSchema } from './worktree/worktree-schema.ts'

/** The records of `scope` as JSON Schemas, for `scope schema`. */
export const schemas = {
  agent: z.toJSONSchema(agentSchema),
  envelope: z.toJSONSchema(envelopeSchema),
  session: z.toJSONSchema(sessionSchema),
  finding: z.toJSONSchema(findingSchema),
  activity: z.toJSONSchema(activitySchema),
  event: z.toJSONSchema(sessionEvent),
  setting: z.toJSONSchema(settingSchema),
  stat: z.toJSONSchema(statSchema),
  'worktree-mark': z.toJSONSchema(markSchema.extend({ signature: z.string() })),
  worktree: z.toJSONSchema(worktreeSchema),
  replay: z.toJSONSchema(replaySchema),
  step: z.toJSONSchema(stepSchema),
  collected: z.toJSONSchema(gcSchema),
  paused: z.toJSONSchema(pausedSchema),
  setup: z.toJSONSchema(setupSchema),
  'workflow-result': z.toJSONSchema(workflowResult),
  waited: z.toJSONSchema(waitedSchema),
  ...Object.fromEntries(Object.entries(answerSchemas).map(([name, schema]) => [name, z.toJSONSchema(schema)])),
}

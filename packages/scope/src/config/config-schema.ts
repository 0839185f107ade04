// The user's own settings: of what sessions are made where a command line does not say.
import { z } from 'zod'
import { accessLevels } from '../adapter.ts'
import { noticeWords } from '../notice-words.ts'
import { taskType } from '../task-schema.ts'

const count = z.int().min(1).max(100_000)
const word = z.string().min(1)
const duration = z.string().regex(/^\d{1,9}(?:ms|s|m|h|d)$/, 'expected a duration such as 90s, 10m or 2h')

/** What a session may spend, with all that it starts: US dollars, and tokens that go in and come out. */
export const budgetSettings = {
  max_cost: z.number().positive().max(1_000_000).optional(),
  max_tokens: z.int().min(1).max(1_000_000_000_000).optional(),
}

/** Which agent does something, and how. */
const choice = z.strictObject({
  agent: word.optional(),
  model: word.optional(),
  access: z.enum(accessLevels).optional(),
  timeout: duration.optional(),
  ...budgetSettings,
})

/** Words of a command line, in which `{}` stands for what is asked. */
const words = z.array(word)
const path = z.string().regex(/^[\w-]+(?:\.[\w-]+)*$/, 'expected names with dots between them, such as message.text')

const prompt = z.enum(['stdin', 'argument', 'file', 'paste'])

/** An agent that scope does not know by itself: it reads a prompt and prints an answer, or works in a terminal. */
export const describedAgent = z.strictObject({
  command: words.min(1).describe('the program and its words'),
  prompt,
  model: words.optional().describe('the words for a model'),
  resume: words.optional().describe('the words to go on in a conversation'),
  access: z.strictObject({ read: words, write: words, full: words }),
  answer: z
    .strictObject({ text: path, session: path.optional(), cost_usd: path.optional(), error: path.optional() })
    .optional()
    .describe(
      'where the answer is in the last JSON object that it prints; without it, all that it prints is the answer',
    ),
})

/** Such an agent as a person describes it in the settings, who may leave some of it out. */
const customAgent = describedAgent.extend({
  prompt: prompt
    .default('stdin')
    .describe('file: the word {} of the command is its path; paste: into the terminal in which it works'),
  access: z.strictObject({ read: words.default([]), write: words.default([]), full: words.default([]) }).prefault({}),
})

/** How the user is told of what happens to sessions. */
const notify = z.strictObject({
  command: words.min(1).optional().describe('the program and its words'),
  on: z.array(z.enum(noticeWords)).optional(),
  timeout: duration.optional(),
})

const name = z.string().regex(/^[a-z][\w-]{0,63}$/i, 'expected a name of letters and digits')

/** `config.json` in the folder of the user's settings. Every field may be left out. */
export const configSchema = z.strictObject({
  v: z.literal(1).default(1),
  max_running: count.optional(),
  max_depth: z.int().min(0).max(100).optional(),
  max_completed_sessions: z.int().min(0).max(100_000).optional(),
  timeout: duration.optional(),
  idle_timeout: duration.optional(),
  ...budgetSettings,
  worktree: z
    .strictObject({ setup: word.optional(), setup_timeout: duration.optional(), copy: z.array(word).optional() })
    .prefault({}),
  types: z.partialRecord(taskType, choice).default({}),
  profiles: z.record(name, choice).default({}),
  agents: z.record(name, customAgent).default({}),
  notify: notify.prefault({}),
})

export type Config = z.infer<typeof configSchema>
export type CustomAgent = z.infer<typeof describedAgent>
export type Choice = z.infer<typeof choice>

/** A setting as `scope config` prints it. */
export const settingSchema = z.object({
  v: z.literal(1),
  name: z.string(),
  value: z.json().describe('null where there is none'),
  origin: z.enum(['user', 'default']),
  summary: z.string(),
})

export type Setting = z.infer<typeof settingSchema>

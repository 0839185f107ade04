// What hosts take for a plugin, as far as it can be told from the files.
import { z } from 'zod'

const word = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'expected small letters, digits and single dashes')
const version = z.string().regex(/^\d+\.\d+\.\d+/, 'expected a version such as 1.2.3')
const line = z.string().min(1)

export const claudeManifest = z.looseObject({ name: word, version: version.optional(), description: line.optional() })

export const marketplace = z.looseObject({
  name: word,
  owner: z.looseObject({ name: line }),
  plugins: z
    .array(z.looseObject({ name: word, source: z.string().startsWith('./', 'expected a folder that begins with ./') }))
    .min(1),
})

export const geminiManifest = z.looseObject({ name: word, version })

const hook = z.looseObject({ type: z.literal('command'), command: line, timeout: z.number().positive().optional() })

/** The form that Claude Code, Codex and Gemini CLI share; an event without its inner list makes a whole plugin fail. */
export const hooksFile = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ matcher: z.string().optional(), hooks: z.array(hook).min(1) }))),
})

/** Hosts cut or refuse longer ones. */
const descriptionMax = 1024
const described = z.string().min(1).max(descriptionMax)

export const agentFields = z.looseObject({ name: word, description: described, tools: line.optional() })
export const commandFields = z.looseObject({ description: described })
export const skillFields = z.looseObject({ name: word.max(64), description: described })

const fault = z.object({ path: z.string().describe('relative to the folder'), what: z.string() })

/** What `loop plugin build --check` prints for each plugin. */
export const pluginReport = z.object({
  v: z.literal(1),
  host: z.enum(['claude', 'codex', 'gemini', 'opencode']).nullable().describe('null: a folder of sources'),
  dir: z.string(),
  agents: z.array(z.string()),
  commands: z.array(z.string()),
  skills: z.array(z.string()),
  hooks: z.array(z.string()).describe("the host's own names of events"),
  faults: z.array(fault),
})
export type PluginReport = z.infer<typeof pluginReport>
export type PluginFault = z.infer<typeof fault>

/** What `loop plugin build` prints for each host. */
export const pluginBuilt = z.object({
  v: z.literal(1),
  host: z.enum(['claude', 'codex', 'gemini', 'opencode']),
  dir: z.string(),
  files: z.array(z.string()).describe('relative to dir'),
})
export type PluginBuilt = z.infer<typeof pluginBuilt>

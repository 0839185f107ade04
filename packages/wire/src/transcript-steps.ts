// What an agent and its tools said and did, as the transcript of its client has it, in one shape for all clients.
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { adapters } from './adapters.ts'
import type { Host } from './host.ts'
import { type Fields, fieldsOf, listIn, textIn } from './host-fields.ts'
import { type Deed, toolDeed } from './tool-deed.ts'

/** `prompt`: somebody told the agent; `text`: it said; `tool`: it did; `tool-result`: that came to. */
export type Step = {
  readonly step: 'prompt' | 'text' | 'tool' | 'tool-result'
  /** Milliseconds since 1970; null where the transcript does not say. */
  readonly at: number | null
  /** The words; of a tool what it was given, as JSON. */
  readonly text: string
  /** The name of the tool that is used. */
  readonly tool: string | null
  /** The use of a tool in few words. */
  readonly deed: Deed | null
  /** The files that the tool writes, as its host gave them. */
  readonly paths: readonly string[]
  /** Whether this is the result of a tool that failed. */
  readonly failed: boolean
}

type Found = Partial<Step> & Pick<Step, 'step' | 'text'>

/** Hosts whose transcripts can be read. */
export const hostsWithTranscripts = ['claude', 'codex'] as const
export type HostWithTranscript = (typeof hostsWithTranscripts)[number]

const readers: Readonly<Record<HostWithTranscript, (line: Fields) => readonly Found[]>> = {
  claude: claudeSteps,
  codex: codexSteps,
}

/** The steps that a line of a host's transcript tells of: none, one or several. Nothing here throws. */
export function stepsOf(host: HostWithTranscript, line: unknown): Step[] {
  if (!isPlainObject(line)) return []
  const at = Date.parse(textIn(line, 'timestamp') ?? '')
  return readers[host](line).map((found) => ({
    ...{ at: Number.isNaN(at) ? null : at, tool: null, deed: null, paths: [], failed: false },
    ...found,
  }))
}

/** Claude Code: a message is one block or several; what a subagent or the client itself adds is marked. */
function claudeSteps(line: Fields): Found[] {
  const type = textIn(line, 'type')
  if ((type !== 'assistant' && type !== 'user') || line['isSidechain'] === true || line['isMeta'] === true) return []
  const message = fieldsOf(line['message'])
  const whole = textIn(message, 'content')
  const step = type === 'user' ? 'prompt' : 'text'
  if (whole !== undefined) return [{ step, text: whole }]
  return listIn(message, 'content').flatMap((block): Found[] => {
    switch (block['type']) {
      case 'text':
        return said(step, textIn(block, 'text'))
      case 'tool_use':
        return [toolStep('claude', textIn(block, 'name') ?? '', block['input'])]
      case 'tool_result':
        return [{ step: 'tool-result', text: resultText(block['content']), failed: block['is_error'] === true }]
      default:
        return []
    }
  })
}

/** Codex: a message or a call is an item; it keeps its own instructions among what the user said. */
function codexSteps(line: Fields): Found[] {
  if (textIn(line, 'type') !== 'response_item') return []
  const item = fieldsOf(line['payload'])
  switch (item['type']) {
    case 'message': {
      const text = textsOf(item['content'])
      const isOwn = /^\s*<(?:environment_context|user_instructions|permissions)/.test(text)
      if (textIn(item, 'role') === 'assistant') return said('text', text)
      return textIn(item, 'role') === 'user' && !isOwn ? said('prompt', text) : []
    }
    case 'function_call':
      return [toolStep('codex', textIn(item, 'name') ?? '', parseJson(textIn(item, 'arguments') ?? '{}'))]
    case 'custom_tool_call':
      return [toolStep('codex', textIn(item, 'name') ?? '', { input: textIn(item, 'input') ?? '' })]
    case 'local_shell_call':
      return [toolStep('codex', 'local_shell', fieldsOf(item['action']))]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ step: 'tool-result', text: resultText(item['output']) }]
    default:
      return []
  }
}

const said = (step: 'prompt' | 'text', text = ''): Found[] => (text.trim() === '' ? [] : [{ step, text }])

function toolStep(host: Host, name: string, given: unknown): Found {
  const fields = { tool_name: name, tool_input: given }
  const use = adapters[host].tool(fields)
  const about = { deed: toolDeed(use, host, fields), paths: use.kind === 'write' ? use.paths : [] }
  return { step: 'tool', text: JSON.stringify(given ?? {}), tool: name, ...about }
}

/** A result is a text, a list of blocks, or an object around either. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return textsOf(content)
  return isPlainObject(content) ? resultText(content['content'] ?? content['output'] ?? '') : ''
}

const textsOf = (content: unknown) =>
  listIn({ content }, 'content')
    .flatMap((part) => textIn(part, 'text') ?? [])
    .join('\n')

import { readIfThere } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { Tool } from './tool.ts'
import type { VerbSpec } from './verb.ts'
import { secondWords, type VerbGuide } from './verb-guide.ts'
import { renderPage } from './verb-page.ts'

const builtinLines = [
  ['help [verb]', 'Show this, or a verb'],
  ['completion <shell>', 'Print a completion script for bash, zsh or fish'],
  ['schema [name]', 'Print the JSON Schema of a record'],
  ['version', 'Print the version'],
] as const

/** What a tool says when it is called without a verb: its verbs by name, and where to read on. */
export async function renderBrief(tool: Tool): Promise<string> {
  const { name } = tool
  const guide = await tool.guide?.()
  const verbs = guide ? briefGroups(guide) : [`verbs: ${Object.keys(tool.verbs).join(', ')}`]
  return [`usage: ${name} <verb> [arguments] [flags]`, ...verbs, `see ${name} help, or ${name} <verb> --help`].join(
    '\n',
  )
}

function briefGroups({ groups }: VerbGuide): string[] {
  const width = Math.max(...Object.keys(groups).map((heading) => heading.length))
  return Object.entries(groups).map(([heading, words]) => `  ${heading.padEnd(width)}  ${words.join(' ')}`)
}

/**
 * The page of a tool: every verb with its summary; with `group` only the verbs that begin with this word. A tool that
 * does one thing has that one's page.
 */
export async function renderTool(tool: Tool, group?: string, color = false): Promise<string> {
  const main = await tool.main?.()
  if (main !== undefined) return renderVerb(tool, '', main, color)
  const guide = await tool.guide?.()
  if (guide !== undefined && group === undefined) return renderGroups(tool, guide)
  const names = Object.keys(tool.verbs).filter((name) => group === undefined || name.startsWith(`${group} `))
  const lines: (readonly [string, string])[] = []
  const summary = summaries(tool)
  for (const name of names) lines.push([name, await summary(name)])
  for (const [alias, name] of Object.entries(tool.aliases ?? {})) {
    if (names.includes(name)) lines.push([alias, `The same as ${name}`])
  }
  if (group === undefined) lines.push(...builtinLines)
  const width = Math.max(...lines.map(([name]) => name.length))
  return [
    `${tool.summary} (${tool.name} v${tool.version})`,
    '',
    `USAGE ${tool.name} ${group === undefined ? '<verb>' : `${group} <verb>`} [arguments] [flags]`,
    '',
    ...lines.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Every verb takes --json, --jsonl or --quiet, and --help.',
    '',
  ].join('\n')
}

/**
 * Gives the summary of each verb. The build has written them beside the tool: to load all verbs for a line each takes
 * ten times as long as the rest of a page.
 */
function summaries({ verbs }: Tool): (name: string) => Promise<string> {
  const read = parseJson(readIfThere(join(__dirname, 'summaries.json')) ?? '')
  const built = isPlainObject(read) ? read : {}
  return async (name) => {
    const summary = Object.hasOwn(built, name) ? built[name] : (await verbs[name]?.())?.summary
    return typeof summary === 'string' ? summary : ''
  }
}

/** The page of a tool with many verbs: by what they are for, those of two words in one line. */
async function renderGroups(tool: Tool, { groups, families }: VerbGuide): Promise<string> {
  const width = Math.max(...Object.values(groups).flatMap((words) => words.map((word) => word.length)))
  const lines: string[] = []
  const summary = summaries(tool)
  for (const [heading, words] of Object.entries(groups)) {
    lines.push(heading.toUpperCase())
    for (const word of words) {
      const family = [...(Object.hasOwn(tool.verbs, word) ? [''] : []), ...secondWords(tool.verbs, word)]
      const isFamily = family.length > 1 || family[0] !== ''
      const line = isFamily
        ? `${family.filter((second) => second !== '').join(', ')}: ${families[word] ?? ''}`
        : await summary(word)
      lines.push(`  ${word.padEnd(width)}  ${line}`)
    }
  }
  return [
    `${tool.summary} (${tool.name} v${tool.version})`,
    `USAGE ${tool.name} <verb> [arguments] [flags]`,
    ...lines,
    `Also ${builtinLines.map(([name]) => name).join(', ')}.`,
    'Every verb takes --json, --jsonl or --quiet and --help, which has examples.',
    '',
  ].join('\n')
}

/** The page of a verb; what a tool of one verb does has the name ''. */
export function renderVerb(tool: Tool, name: string, spec: VerbSpec, color: boolean): string {
  const title = name === '' ? `${spec.summary} (${tool.name} v${tool.version})` : spec.summary
  return renderPage([tool.name, name].filter((word) => word !== '').join(' '), title, spec, color)
}

import { Failure } from '@switchyard/ground/failure'
import { completions } from './completion.ts'
import { completionTable } from './completion-table.ts'
import { renderTool, renderVerb } from './help.ts'
import { nearest } from './nearest.ts'
import { quote } from './tokens.ts'
import type { Tool } from './tool.ts'
import { defineVerb, type Verb } from './verb.ts'

export { renderBrief, renderVerb } from './help.ts'

/** A verb that was found in the words of a command line, and how many of them name it. */
export type Found = { name: string; verb: Verb; length: number }

/**
 * The verbs every tool has: `help`, `completion`, `schema`, `version`; also `--help` and `--version` in a verb's
 * place, and `group --help`.
 */
export function findBuiltin(tool: Tool, words: readonly string[]): Found | undefined {
  const [first = '', second = ''] = words
  if (first === '--version' || first === 'version') return { name: 'version', verb: versionOf(tool), length: 1 }
  if (first === '--help' || first === '-h' || first === 'help') return { name: 'help', verb: helpOf(tool), length: 1 }
  if (first === 'completion') return { name: 'completion', verb: completionOf(tool), length: 1 }
  if (first === 'schema') return { name: 'schema', verb: schemaOf(tool), length: 1 }
  const isGroup = Object.keys(tool.verbs).some((name) => name.startsWith(`${first} `))
  if (isGroup && (second === '--help' || second === '-h'))
    return { name: 'help', verb: groupOf(tool, first), length: 2 }
  return undefined
}

function helpOf(tool: Tool): Verb {
  return defineVerb({
    summary: 'Show what the tool or one of its verbs does',
    args: [{ name: 'verb', summary: 'A verb, of one or two words', optional: true, rest: true }],
    examples: [`${tool.name} help`],
    async run({ args, output }) {
      const typed = args.verb.join(' ')
      const name = Object.entries(tool.aliases ?? {}).find(([alias]) => alias === typed)?.[1] ?? typed
      const verb = Object.hasOwn(tool.verbs, name) ? await tool.verbs[name]?.() : findBuiltin(tool, args.verb)?.verb
      if (typed === '') output.raw(await renderTool(tool, undefined, output.color))
      else if (verb !== undefined) output.raw(renderVerb(tool, name, verb, output.color))
      else if (Object.keys(tool.verbs).some((key) => key.startsWith(`${typed} `)))
        output.raw(await renderTool(tool, typed))
      else throw noSuch('verb', typed, Object.keys(tool.verbs), 'usage')
      return undefined
    },
  })
}

function groupOf(tool: Tool, group: string): Verb {
  return defineVerb({
    summary: `Show the verbs of ${group}`,
    examples: [`${tool.name} help ${group}`],
    async run({ output }) {
      output.raw(await renderTool(tool, group))
      return undefined
    },
  })
}

function versionOf(tool: Tool): Verb {
  return defineVerb({
    summary: 'Print the version',
    examples: [`${tool.name} version`],
    run({ output }) {
      const { name, version } = tool
      output.one({ name, version }, { text: () => `${name} ${version}`, id: () => version })
      return undefined
    },
  })
}

function completionOf(tool: Tool): Verb {
  return defineVerb({
    summary: 'Print a completion script',
    args: [{ name: 'shell', summary: 'bash, zsh or fish' }],
    examples: [`${tool.name} completion bash`],
    async run({ args, output }) {
      const render = completions[args.shell]
      if (!Object.hasOwn(completions, args.shell) || render === undefined) {
        throw noSuch('shell', args.shell, Object.keys(completions), 'usage')
      }
      const candidates = (await tool.candidates?.()) ?? {}
      output.raw(render(tool.name, await completionTable(tool, candidates), candidates))
      return undefined
    },
  })
}

function schemaOf(tool: Tool): Verb {
  return defineVerb({
    summary: 'List the records of the tool, or print the JSON Schema of one',
    args: [{ name: 'name', summary: 'A record', optional: true }],
    examples: [`${tool.name} schema`],
    async run({ args, output }) {
      const schemas = (await tool.schemas?.()) ?? {}
      const names = Object.keys(schemas)
      if (args.name === undefined) {
        output.list(names, { text: (name) => name, id: (name) => name, empty: `${tool.name} has no records` })
        return undefined
      }
      if (!names.includes(args.name)) throw noSuch('record', args.name, names, 'notFound')
      output.one(schemas[args.name], { text: (schema) => JSON.stringify(schema, null, 2), id: () => args.name ?? '' })
      return undefined
    },
  })
}

function noSuch(what: string, typed: string, names: readonly string[], kind: 'usage' | 'notFound'): Failure {
  const meant = nearest(typed, names)
  const hint = meant === undefined ? `one of ${names.join(', ')}` : `did you mean ${meant}?`
  return new Failure(kind, `expected a ${what} that exists, got ${quote(typed)}`, { hint })
}

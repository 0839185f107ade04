import { dirname, join, resolve } from 'node:path'
import { defineVerb, type Output } from '@switchyard/cli-kit'
import { entriesIn, makeFolder } from '@switchyard/ground/disk'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { orUnwritten } from '@switchyard/topic/unwritten'
import type { Host } from '@switchyard/wire/host'
import { pluginFiles } from '../plugin/plugin-files.ts'
import type { PluginBuilt, PluginReport } from '../plugin/plugin-schema.ts'
import type { Files } from '../plugin/plugin-text.ts'
import { mergeSources, ownSource, readSource } from '../plugin/source.ts'
import { hostOf, validatePlugin } from '../plugin/validate.ts'

declare const SWITCHYARD_VERSION: string

const hosts = ['claude', 'codex', 'gemini', 'opencode'] as const

/** What a person does with the folder. */
const next: Readonly<Record<Host, (dir: string) => string>> = {
  claude: (dir) => `claude plugin marketplace add ${dir} && claude plugin install loop@switchyard`,
  codex: (dir) => `see ${join(dir, 'README.md')}`,
  gemini: (dir) => `gemini extensions link ${dir}`,
  opencode: (dir) => `cp -R ${dir}/. ~/.config/opencode/`,
}

/**
 * `loop plugin build`: writes a plugin for a host, or one for each, from the sources that come with loop. With `--check`
 * it says what is wrong with one, or with a folder of them, and exits 1 when something is.
 */
export const pluginBuild = defineVerb({
  summary: 'Write a plugin for an agent, or check one: hooks, commands, agents and skills',
  flags: {
    host: {
      type: 'choice',
      choices: [...hosts, 'all'],
      default: 'all',
      summary: 'For this agent, or all, each below DIR',
    },
    out: { type: 'string', value: 'DIR', default: 'loop-plugin', summary: 'Write it there; what else is there stays' },
    check: { type: 'string', value: 'DIR', summary: 'Write nothing; check the plugin, plugins or sources in DIR' },
    from: { type: 'string', value: 'DIR', summary: 'Also the agents, commands and skills in this folder' },
  },
  examples: [
    'loop plugin build --host claude --out build/loop',
    'loop plugin build --from .loop/plugin',
    'loop plugin build --check build',
  ],
  run({ cwd, flags, output }) {
    if (flags.check !== undefined) return check(resolve(cwd, flags.check), output)
    const own = readSource(ownSource())
    const source = flags.from === undefined ? own : mergeSources(own, readSource(resolve(cwd, flags.from)))
    const wanted = hosts.filter((host) => flags.host === 'all' || flags.host === host)
    const built = wanted.map((host): PluginBuilt => {
      const dir = resolve(cwd, flags.out, flags.host === 'all' ? host : '')
      const files = pluginFiles[host](source, SWITCHYARD_VERSION)
      writePlugin(dir, files)
      return { v: 1, host, dir, files: Object.keys(files) }
    })
    output.list(built, {
      text: ({ host, dir, files }) => `${host}  ${dir}  ${files.length} files`,
      id: ({ dir }) => dir,
    })
    if (output.mode === 'text') for (const { host, dir } of built) output.note(`${host}: ${next[host](dir)}`)
    return undefined
  },
})

function check(dir: string, output: Output): ExitCode | undefined {
  const reports = pluginsIn(dir)
  if (reports.length === 0) {
    throw new Failure('notFound', `expected a plugin in ${dir}, found none`, { hint: 'loop plugin build --out DIR' })
  }
  output.list(reports, { text: shownReport, id: (report) => report.dir })
  return reports.some(({ faults }) => faults.length > 0) ? exitCodes.failed : undefined
}

/** What the folder is comes first; else each plugin in it. */
function pluginsIn(dir: string): PluginReport[] {
  const host = hostOf(dir)
  if (host !== undefined) return [validatePlugin(dir, host)]
  const folders = entriesIn(dir).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => {
    const inner = hostOf(join(dir, name))
    return inner === undefined ? [] : [validatePlugin(join(dir, name), inner)]
  })
}

function shownReport({ host, dir, agents, commands, skills, hooks, faults }: PluginReport): string {
  const counts = [
    `${agents.length} agents`,
    `${commands.length} commands`,
    `${skills.length} skills`,
    `${hooks.length} hooks`,
  ]
  const state = faults.length === 0 ? 'valid' : `${faults.length} faults`
  const head = `${host ?? 'sources'}  ${dir}  ${state}: ${counts.join(', ')}`
  return [head, ...faults.map(({ path, what }) => `  ${path}: ${what}`)].join('\n')
}

/**
 * Writes a plugin's files, each whole or not at all. What else is in the folder stays: somebody may have added an agent
 * there. Failure `failed` when the disk refuses.
 */
function writePlugin(dir: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(dir, path)
    orUnwritten(`${full} was to be written`, () => {
      makeFolder(dirname(full))
      writeWhole(full, `${full}.draft`, text)
    })
  }
}

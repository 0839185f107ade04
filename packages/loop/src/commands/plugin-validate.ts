import { join, resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { entriesIn } from '@switchyard/ground/disk'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import type { PluginReport } from '../plugin/plugin-schema.ts'
import { hostOf, validatePlugin } from '../plugin/validate.ts'

/** `loop plugin validate`: what is wrong with a plugin, or with a folder of them. Exits 1 when something is. */
export const pluginValidate = defineVerb({
  summary: 'Check a plugin: its manifest, hooks, commands, agents and skills',
  args: [{ name: 'dir', summary: 'A plugin, a folder of plugins as build writes it, or sources of one' }],
  examples: ['loop plugin build --out build && loop plugin validate build'],
  run({ cwd, args, output }) {
    const dir = resolve(cwd, args.dir)
    const reports = pluginsIn(dir)
    if (reports.length === 0) {
      throw new Failure('notFound', `expected a plugin in ${dir}, found none`, { hint: 'loop plugin build --out DIR' })
    }
    output.list(reports, { text: shown, id: (report) => report.dir })
    return reports.some(({ faults }) => faults.length > 0) ? exitCodes.failed : undefined
  },
})

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

function shown({ host, dir, agents, commands, skills, hooks, faults }: PluginReport): string {
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

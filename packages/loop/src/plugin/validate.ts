import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readIfThere } from '@switchyard/ground/disk'
import type { Host } from '@switchyard/wire/host'
import type { SettingsHost } from '@switchyard/wire/settings/hook-entry'
import type { ZodType } from 'zod'
import { type MarkedText, parseFrontMatter } from './front-matter.ts'
import { hookTable } from './hook-table.ts'
import {
  agentFields,
  claudeManifest,
  commandFields,
  geminiManifest,
  hooksFile,
  marketplace,
  type PluginFault,
  type PluginReport,
  skillFields,
} from './plugin-schema.ts'
import { type Found, filesIn, markdownIn, skillsIn } from './source.ts'

/** By which file a plugin of a host is known. */
const marks: Readonly<Record<Host, string>> = {
  claude: '.claude-plugin/plugin.json',
  gemini: 'gemini-extension.json',
  opencode: 'plugin/loop.js',
  codex: 'hooks.json',
}
const hosts = ['claude', 'gemini', 'opencode', 'codex'] as const

/** The host that a folder is a plugin for; null for a folder of sources; undefined when it is neither. */
export function hostOf(dir: string): Host | null | undefined {
  const host = hosts.find((candidate) => existsSync(join(dir, marks[candidate])))
  if (host !== undefined) return host
  return ['agents', 'commands', 'skills'].some((name) => existsSync(join(dir, name))) ? null : undefined
}

/** What is in a plugin, and what its host would not take. */
export function validatePlugin(dir: string, host: Host | null): PluginReport {
  const isOpencode = host === 'opencode'
  const agents = isOpencode ? [] : markdownIn(join(dir, 'agents'))
  const commands = host === 'gemini' || isOpencode ? [] : markdownIn(join(dir, 'commands'))
  const skills = skillsIn(join(dir, isOpencode ? 'skill' : 'skills'))
  const hooks = host === null || isOpencode ? { names: [], faults: [] } : checkHooks(dir, host)
  return {
    v: 1,
    host,
    dir,
    agents: names(isOpencode ? markdownIn(join(dir, 'agent')) : agents),
    commands: commandNames(dir, host),
    skills: names(skills),
    hooks: hooks.names,
    faults: [
      ...checkManifests(dir, host),
      ...hooks.faults,
      ...agents.flatMap((found) => checkMarked(dir, found, agentFields)),
      ...commands.flatMap((found) => checkMarked(dir, found, commandFields)),
      ...skills.flatMap((found) => checkMarked(dir, found, skillFields)),
    ],
  }
}

function commandNames(dir: string, host: Host | null): string[] {
  if (host === 'gemini') return names(filesIn(join(dir, 'commands'), '.toml'))
  return names(markdownIn(join(dir, host === 'opencode' ? 'command' : 'commands')))
}

const names = (found: readonly Found[]) => found.map(({ name }) => name)

function checkManifests(dir: string, host: Host | null): PluginFault[] {
  if (host === 'gemini') return checkJson(dir, marks.gemini, geminiManifest)
  if (host !== 'claude') return []
  const listing = '.claude-plugin/marketplace.json'
  const isListed = existsSync(join(dir, listing))
  return [...checkJson(dir, marks.claude, claudeManifest), ...(isListed ? checkJson(dir, listing, marketplace) : [])]
}

function checkHooks(dir: string, host: SettingsHost): { names: string[]; faults: PluginFault[] } {
  const path = host === 'codex' ? 'hooks.json' : 'hooks/hooks.json'
  if (!existsSync(join(dir, path))) return { names: [], faults: [] }
  const faults = checkJson(dir, path, hooksFile)
  if (faults.length > 0) return { names: [], faults }
  const { hooks } = hooksFile.parse(JSON.parse(readIfThere(join(dir, path)) ?? ''))
  const missing = hookTable[host].filter(({ name }) => !Object.hasOwn(hooks, name))
  const lacks = missing.map(({ name }) => ({ path, what: `expected a hook for ${name}, got none` }))
  return { names: Object.keys(hooks), faults: lacks }
}

function checkJson(dir: string, path: string, schema: ZodType): PluginFault[] {
  const text = readIfThere(join(dir, path)) ?? ''
  try {
    return faultsOf(path, schema, JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return [{ path, what: `expected JSON: ${error.message}` }]
  }
}

function checkMarked(dir: string, { name, path }: Found, schema: ZodType): PluginFault[] {
  const shown = path.slice(dir.length + 1)
  const marked: MarkedText | undefined = parseFrontMatter(readIfThere(path) ?? '')
  if (marked === undefined) return [{ path: shown, what: 'expected fields between two --- lines at its beginning' }]
  const said = marked.fields['name']
  const isOther = said !== undefined && said !== name
  return [
    ...marked.faults.map((what) => ({ path: shown, what })),
    ...faultsOf(shown, schema, marked.fields),
    ...(isOther ? [{ path: shown, what: `expected its name to be ${name}, as its place says, got ${said}` }] : []),
    ...(marked.text.trim() === '' ? [{ path: shown, what: 'expected a text below the fields, got none' }] : []),
  ]
}

function faultsOf(path: string, schema: ZodType, value: unknown): PluginFault[] {
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.map(({ path: keys, message }) => ({ path, what: `${keys.join('.') || 'the whole'}: ${message}` }))
}

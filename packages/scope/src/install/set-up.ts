// What `scope setup` and `scope uninstall` share: the changes of files, made or only told.
import { join } from 'node:path'
import { readIfThere } from '@switchyard/ground/disk'
import type { Host } from '@switchyard/wire/host'
import { backupPath, changeFile, type Decide, foreseeChange } from '@switchyard/wire/settings/change-file'
import { hooksInstalled, hooksRemoved } from '@switchyard/wire/settings/hook-change'
import type { Scope } from '@switchyard/wire/settings/settings-place'
import { withBlock, withoutBlock } from './instructions.ts'
import { hooksPath, instructionsPath, requireInside, type Where } from './places.ts'
import { scopeHooks } from './scope-hooks.ts'
import type { Part, SetUp } from './setup-schema.ts'

/** `isDry`: nothing is written. */
export type Wish = {
  readonly to: 'installed' | 'removed'
  readonly parts: readonly Part[]
  readonly agents: readonly Host[]
  readonly scope: Scope
  readonly isDry: boolean
}

const { tool } = scopeHooks

/** Makes the changes, each file once. Before the first, all are foreseen: where one is refused, none is made. */
export async function setUp(wish: Wish, where: Where): Promise<SetUp[]> {
  const changes = wish.parts.flatMap((part) => wish.agents.map((agent) => changeOf(part, agent, wish, where)))
  const once = changes.filter(({ path }, at) => changes.findIndex((other) => other.path === path) === at)
  for (const { path, decide } of once) {
    if (wish.scope === 'project') requireInside(path, where)
    foreseeChange(path, tool, decide)
  }
  const done: SetUp[] = []
  for (const { part, agent, path, decide } of once) {
    const { before, after } = wish.isDry ? foreseeChange(path, tool, decide) : await changeFile(path, tool, decide)
    const copy = part === 'hooks' ? backupPath(path, tool) : undefined
    done.push({
      ...{ v: 1, part, agent, path, state: before === after ? 'unchanged' : wish.to, dry_run: wish.isDry },
      backup: copy === undefined || readIfThere(copy) === undefined ? null : copy,
      content: after ?? null,
    })
  }
  return done
}

type Change = { readonly part: Part; readonly agent: Host; readonly path: string; readonly decide: Decide }

function changeOf(part: Part, agent: Host, { to, scope }: Wish, where: Where): Change {
  if (part === 'instructions') {
    const path = instructionsPath(agent, scope, where)
    const decide: Decide = (before) => ({
      text: to === 'installed' ? withBlock(before, path) : before && withoutBlock(before, path),
    })
    return { part, agent, path, decide }
  }
  const path = hooksPath(agent, scope, where)
  const wanted = { host: agent, path, shim: pluginText(agent), own: scopeHooks }
  const decide: Decide = (before, kept) =>
    to === 'installed' ? hooksInstalled(before, wanted) : hooksRemoved(before, kept, wanted)
  return { part, agent, path, decide }
}

/** The plugin that opencode loads, which lies beside the bundles. */
const pluginText = (agent: Host) =>
  agent === 'opencode' ? (readIfThere(join(__dirname, '..', 'plugin', 'opencode', 'scope.js')) ?? '') : ''

/** A line for people. */
export function renderSetUp({ part, agent, path, state, dry_run, backup }: SetUp): string {
  const word = dry_run && state !== 'unchanged' ? `would be ${state}` : state
  return `${part}  ${agent}  ${word}  ${path}${backup === null ? '' : `  before: ${backup}`}`
}

// Sessions of the user's other projects, beside those of this one: their ids have the project's name before them.
import { basename } from 'node:path'
import type { Context } from '@switchyard/cli-kit'
import type { Store } from '@switchyard/topic'
import { scribeOf } from '../session/bus.ts'
import { otherProjects, projectOf } from '../session/projects.ts'
import type { Scribe } from '../session/record.ts'
import type { SessionView } from '../session/session-schema.ts'
import { glanceAt, idsToShow } from './sight.ts'

/** So many are shown of a project that are over, and in all. */
const overMax = 5
const shownMax = 500

type Caller = Pick<Context, 'env' | 'now'>

/** A session where it is: by the id that it has there. */
export type Placed = { readonly store: Store; readonly view: SessionView }

/** How a verb is called in the project of a store. */
export const callIn = (store: Store, env: Context['env']) => ({
  cwd: projectOf(store),
  env: { ...env, SCOPE_DIR: store.path, JWZ_STORE: undefined },
})

/** Who writes about the sessions of another project. */
export const scribeIn = (store: Store, { env, now }: Caller): Scribe => scribeOf({ ...callIn(store, env), now }, store)

/** The sessions of the other projects, as they stand at each look; `placed` has those of the last one. */
export function sessionsElsewhere(own: Store, caller: Caller) {
  const placed = new Map<string, Placed>()
  return {
    placed: (id: string): Placed | undefined => placed.get(id),
    views: async (): Promise<SessionView[]> => {
      placed.clear()
      const names = new Set<string>()
      for (const store of otherProjects(own, caller.env)) {
        const name = unlike(names, basename(projectOf(store)))
        const scribe = scribeIn(store, caller)
        const ids = idsToShow(scribe, overMax).slice(0, shownMax)
        for (const view of await glanceAt(scribe, ids)) placed.set(`${name}:${view.id}`, { store, view })
      }
      return [...placed].map(([id, { store, view }]) => namedIn(id, projectOf(store), view))
    },
  }
}

/** A name that none of `names` is, which has it from then on. */
function unlike(names: Set<string>, wanted: string): string {
  let name = wanted
  for (let turn = 2; names.has(name); turn += 1) name = `${wanted}-${turn}`
  names.add(name)
  return name
}

function namedIn(id: string, project: string, view: SessionView): SessionView {
  const prefix = id.slice(0, -view.id.length)
  return {
    ...{ ...view, id, project },
    parent: view.parent === null ? null : prefix + view.parent,
    children: view.children.map((child) => prefix + child),
  }
}

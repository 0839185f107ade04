// How far the issues that have parts are.
import type { Dep } from '../schema/event-schema.ts'

/**
 * Counts the issues that have no parts of their own, however deep below a parent: how many there are, how many are
 * over, and how many can be worked on now.
 */
export type Progress = { readonly done: number; readonly total: number; readonly ready: number }

/** The progress of each issue; undefined for one without parts. An issue with two parents counts once for each. */
export function progressOf(
  deps: Iterable<Dep>,
  { isOver, isReady }: { isOver: (id: string) => boolean; isReady: (id: string) => boolean },
): (id: string) => Progress | undefined {
  const parts = new Map<string, string[]>()
  for (const { kind, from, to } of deps) {
    if (kind !== 'parent') continue
    const known = parts.get(from)
    if (known) known.push(to)
    else parts.set(from, [to])
  }
  return (id) => {
    if (!parts.has(id)) return undefined
    const below = new Set(parts.get(id))
    for (const part of below) for (const next of parts.get(part) ?? []) below.add(next)
    const leaves = [...below].filter((part) => !parts.has(part))
    return { done: leaves.filter(isOver).length, total: leaves.length, ready: leaves.filter(isReady).length }
  }
}

/** `3/7 done 42%, 2 ready`. */
export function renderProgress({ done, total, ready }: Progress): string {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total)
  return `${done}/${total} done ${percent}%${ready > 0 ? `, ${ready} ready` : ''}`
}

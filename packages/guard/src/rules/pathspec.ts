// How much of a tree a pathspec of git means: all of it, a folder, or files by their names.
import { normalize } from 'node:path'
import { isBelow } from '../scene/places.ts'
import type { Scene } from '../scene/scene.ts'
import { isKnown } from '../shell/command.ts'
import { pathFrom } from '../shell/path-from.ts'

export type Reach = 'all' | 'folder' | 'file'

/** What a pathspec reaches where git works in `cwd`. */
function reachOf(pathspec: string, cwd: string, scene: Scene): Reach {
  const { isTop, isExcluding, rest } = readMagic(pathspec)
  // Nothing but what is left out: all the rest is meant.
  if (isExcluding || rest === '' || /^(?:\.{1,2}\/?|(?:\.\/)?(?:\*{1,2}\/?)+)$/.test(rest)) return 'all'
  const top = isKnown(cwd) ? scene.world.repositoryAt(scene.world.realPath(cwd) ?? cwd)?.top : undefined
  const path = pathFrom(isTop && top !== undefined ? top : cwd, rest)
  if (!isKnown(path)) return 'folder'
  const plain = normalize(path).replace(/(.)\/+$/, '$1')
  const real = scene.world.realPath(plain) ?? plain
  if (top !== undefined && [plain, real].some((one) => one === top || isBelow(top, one))) return 'all'
  return /[*?[]/.test(rest) || rest.endsWith('/') || scene.world.namesIn(plain).length > 0 ? 'folder' : 'file'
}

/** `:(top,glob)x`, `:/x`, `:!x`: the magic before a path. */
function readMagic(pathspec: string): { isTop: boolean; isExcluding: boolean; rest: string } {
  const [, words, rest] = /^:\(([^)]*)\)([\s\S]*)$/.exec(pathspec) ?? []
  if (words !== undefined) {
    const magic = words.split(',')
    return { isTop: magic.includes('top'), isExcluding: magic.includes('exclude'), rest: rest ?? '' }
  }
  const [, signs = '', path] = /^:([/!^]*):?([\s\S]*)$/.exec(pathspec) ?? []
  if (path === undefined) return { isTop: false, isExcluding: false, rest: pathspec }
  return { isTop: signs.includes('/'), isExcluding: /[!^]/.test(signs), rest: path }
}

const widths: readonly Reach[] = ['file', 'folder', 'all']

/** What several pathspecs reach together; undefined for none. Those that leave out count only by themselves. */
export function widest(pathspecs: readonly string[], cwd: string, scene: Scene): Reach | undefined {
  const meant = pathspecs.filter((spec) => !readMagic(spec).isExcluding)
  const all = (meant.length === 0 ? pathspecs : meant).map((spec) => reachOf(spec, cwd, scene))
  return widths[Math.max(...[...new Set(all)].map((reach) => widths.indexOf(reach)))]
}

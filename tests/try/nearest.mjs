// Which tests are nearest to a change: the changed ones, then those that import a changed file or run a verb that does,
// the shortest way first.
import { basename, dirname, join } from 'node:path'

/**
 * The tests of all packages that a change touches, the nearest first. `files` are all of the repository, with their
 * texts; `changed` the paths of those that are changed.
 *
 * @param {readonly { path: string, text: string }[]} files
 * @param {readonly string[]} changed
 * @returns {string[]}
 */
export function nearestTests(files, changed) {
  const tests = files.filter(({ path }) => path.endsWith('.test.ts'))
  const distances = distancesFrom(importersIn(files), changed)
  const ranked = tests.flatMap((test) => {
    const own = distances.get(test.path) ?? Number.POSITIVE_INFINITY
    const run = Math.min(...verbsRunBy(test, distances).map(({ distance }) => distance + 1), ...pagesOf(test, changed))
    const distance = Math.min(own, run)
    return distance === Number.POSITIVE_INFINITY
      ? []
      : [{ path: test.path, distance: distance + farOff(test, changed) }]
  })
  return ranked.sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

/**
 * Who imports each file, by paths, or reads it as a page, table or fixture (`new URL`). Between packages, where names
 * stand for paths, only tests count: what a tool makes of a library is too much for a quick look.
 */
function importersIn(files) {
  const importers = new Map()
  const note = (imported, path) => importers.set(imported, [...(importers.get(imported) ?? []), path])
  for (const { path, text } of files) {
    for (const [, specifier] of text.matchAll(/(?:(?:from|import)\s*\(?|new URL\()\s*'(\.[^']+)'/g))
      note(join(dirname(path), specifier).replace(/\/$/, ''), path)
    if (!path.endsWith('.test.ts')) continue
    for (const [, name, entry] of text.matchAll(/from '@switchyard\/([a-z-]+)\/([a-z/-]+)'/g)) {
      for (const file of files)
        if (file.path.startsWith(`packages/${name}/src/`) && file.path.endsWith(`/${entry}.ts`)) note(file.path, path)
    }
  }
  return importers
}

/** How many imports lie between a changed file, or its folder, and each that it reaches. */
function distancesFrom(importers, changed) {
  const folders = changed.map((path) => dirname(path)).filter((folder) => folder !== '.')
  const distances = new Map([...folders, ...changed].map((path) => [path, 0]))
  const open = [...distances.keys()]
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    for (const importer of importers.get(path) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, distances.get(path) + 1)
      open.push(importer)
    }
  }
  return distances
}

/** The verbs that a change reaches and a test of the same tool runs: each is a file, and its words stand in the test. */
function verbsRunBy({ path, text }, distances) {
  return [...distances].flatMap(([file, distance]) => {
    const [, tool, verb] = /^packages\/([^/]+)\/src\/commands\/(.+)\.ts$/.exec(file) ?? []
    if (verb === undefined || !path.startsWith(`packages/${tool}/`)) return []
    return [verb.replace('-', ' ').split(' '), [verb]].some((words) =>
      words.every((word) => text.includes(`'${word}'`)),
    )
      ? [{ distance }]
      : []
  })
}

/** A page of docs is run by the test of its tool's guide, README.md by its own. */
function pagesOf({ path }, changed) {
  return changed.flatMap((file) => {
    const tool = /^docs\/([a-z]+)\.md$/.exec(file)?.[1]
    const isGuide = tool !== undefined && path === `packages/${tool}/test/guide.test.ts`
    return isGuide || (file === 'README.md' && path === 'tests/readme.test.ts') ? [0] : []
  })
}

/** Where two are equally near, the one comes first whose name has a word of the changed file's. */
function farOff({ path }, changed) {
  const words = basename(path, '.test.ts').split('-')
  const isNamed = changed.some((file) =>
    basename(file)
      .replace(/\..*$/, '')
      .split('-')
      .some((word) => words.includes(word)),
  )
  return isNamed ? 0 : 0.5
}

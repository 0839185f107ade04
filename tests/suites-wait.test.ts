import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** The tools whose built binary a suite runs, by the words of its tests. */
function toolsRunBy(name: string): string[] {
  const folder = join(packages, name, 'test')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  const calls = files.flatMap((file) => [
    ...textOf(join(folder, file)).matchAll(/\b(?:run|runAlone|start)\('(jwz|tissue|loop|scope|deepscan)'/g),
  ])
  return [...new Set(calls.map((call) => call[1] ?? ''))].sort()
}

describe('the suite of a package', () => {
  it('waits for the build of each tool that it runs, which is its own, a dependency, or named in turbo.json', () => {
    const tooEarly = readdirSync(packages).flatMap((name) => {
      const waitsFor = textOf(join(packages, name, 'turbo.json')) + textOf(join(packages, name, 'package.json'))
      return toolsRunBy(name)
        .filter((tool) => tool !== name && !new RegExp(`"@switchyard/${tool}(?:#build)?"`).test(waitsFor))
        .map((tool) => `packages/${name}/turbo.json: add "@switchyard/${tool}#build" to what its test depends on`)
    })
    expect(tooEarly).toEqual([])
  })
})

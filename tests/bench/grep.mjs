// deepscan grep beside ripgrep on the same tree: 8,000 files of 100 MB, most lines without a match, walk and all. Without an rg on the PATH the
// times stand beside `node -e 0` alone.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchPlace, has, median, printTable, tool } from './place.mjs'

const folders = 80
const filesEach = 100
const linesEach = 250
const patterns = ['needle_17', 'needle_\\d+7\\b', '-i NEEDLE_17', '\\w+_\\d\\d;$']

/** Prints the table; a fifth of `rounds` of every command. */
export function benchGrep(rounds) {
  const { folder, milliseconds, leave } = benchPlace()
  makeFiles(folder)
  const hasRipgrep = has('rg')
  const rows = patterns.map((pattern) => {
    const words = pattern.split(' ')
    const commands = {
      node: [process.execPath, '-e', '0'],
      deepscan: tool('deepscan', 'grep', ...words),
      ...(hasRipgrep ? { rg: ['rg', '--no-config', '--hidden', '-n', ...words, '.'] } : {}),
    }
    const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
    for (let round = -1; round < Math.max(3, rounds / 5); round += 1) {
      for (const [name, command] of Object.entries(commands)) {
        const took = milliseconds(command)
        if (round >= 0) times[name].push(took)
      }
    }
    const [node, deepscan, rg] = ['node', 'deepscan', 'rg'].map((name) => median(times[name] ?? [Number.NaN]))
    return [pattern, deepscan.toFixed(0), rg.toFixed(0), (deepscan / rg).toFixed(2), (deepscan / node).toFixed(1)]
  })
  leave()
  console.log(`\ngrep: ${folders * filesEach} files\n`)
  printTable(['pattern', 'deepscan ms', 'rg ms', 'ratio to rg', 'ratio to node -e 0'], rows)
}

function makeFiles(root) {
  for (let at = 0; at < folders; at += 1) {
    const folder = join(root, `src/part-${at}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < filesEach; file += 1) {
      const lines = Array.from(
        { length: linesEach },
        (_, line) => `  const value${line} = compute(${at}, ${file}, 'some words')`,
      )
      if (file === at) lines[100] = `  needle_${at};`
      writeFileSync(join(folder, `file-${file}.ts`), `${lines.join('\n')}\n`)
    }
  }
}

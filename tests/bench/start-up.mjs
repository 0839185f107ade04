// Whole-process times of the hot verbs as ratios to `node -e 0`, in interleaved rounds. The machine's noise is about a tenth, so nothing is gated on these;
// what is gated is what causes them: the bytes and imports of the hot files, at every build.
import { benchPlace, median, printTable, sessionsIn, tool } from './place.mjs'

const warmUps = 2
const messages = 1000
const issues = 200

/** Prints the table; `rounds` of every command. */
export function benchStartUp(rounds) {
  const { folder, run, milliseconds, leave } = benchPlace()
  sessionsIn(folder)
  run(
    tool('jwz', 'post', 'news', '--stdin', '--quiet'),
    Array.from({ length: messages }, (_, place) => `message ${place}\n`).join(''),
  )
  const ids = run(tool('tissue', 'import', '-', '--quiet'), findings())
    .trim()
    .split('\n')
  const commands = {
    'node -e 0': () => [process.execPath, '-e', '0'],
    'jwz post': () => tool('jwz', 'post', 'news', '-m', 'hello'),
    'jwz latest': () => tool('jwz', 'latest', 'news'),
    'jwz read': () => tool('jwz', 'read', 'news'),
    'tissue ready': () => tool('tissue', 'ready'),
    'tissue claim': (round) => tool('tissue', 'claim', ids[round % ids.length]),
    'tissue status': (round) => tool('tissue', 'status', ids[ids.length - 1 - (round % ids.length)], 'paused'),
    'scope poll': () => tool('scope', 'poll', '1'),
    'git --version': () => ['git', '--version'],
  }
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const took = milliseconds(command(round + warmUps))
      if (round >= 0) times[name].push(took)
    }
  }
  leave()

  const floor = times['node -e 0']
  console.log(`Start-up: ${rounds} interleaved rounds, ${messages} messages, ${issues} issues\n`)
  const ratios = (values) => median(values.map((value, round) => value / floor[round])).toFixed(2)
  const rows = Object.entries(times).map(([name, values]) => [name, median(values).toFixed(1), ratios(values)])
  printTable(['command', 'median ms', 'ratio to node -e 0'], rows)
}

function findings() {
  const finding = (place) => ({
    v: 1,
    type: 'finding',
    id: `bench-${place}`,
    rule: 'bench',
    title: `Issue ${place}`,
    severity: 'medium',
    confidence: 'high',
    category: 'bench',
    path: 'a.ts',
    line: place + 1,
    column: 1,
    end_line: place + 1,
    end_column: 2,
    quote: 'a',
    message: 'A message of ordinary length, which says what is wrong.',
    fixable: false,
    language: 'typescript',
  })
  return Array.from({ length: issues }, (_, place) => `${JSON.stringify(finding(place))}\n`).join('')
}

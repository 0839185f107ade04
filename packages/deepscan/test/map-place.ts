// A scan with chunks, and scripted agents on PATH, for the tests of `deepscan map`.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { git, run, script, tempFolder, toolPath } from '@switchyard/testkit'

export type MapPlace = ReturnType<typeof mapPlace>

/** Two functions a file; the second one calls `eval` in every file but the third. */
const sourceOf = (number: number) =>
  `export function first${number}(x) {\n  return x + ${number}\n}\n\nexport function second${number}(x) {\n  return ${number % 3 === 2 ? 'x' : `eval(x + ${number})`}\n}\n`

/**
 * A repository of so many files, a chunk each, and a scan of it. `agent` writes an agent: a script for Node to which
 * `prompt`, `chunk`, `attempt`, `path` and `say(findings, more)` are known.
 */
export function mapPlace(files: number, texts: Readonly<Record<string, string>> = {}) {
  const root = tempFolder('map')
  git(root, 'init', '-q')
  const names = Array.from({ length: files }, (_, number) => `src/f${String(number).padStart(2, '0')}.js`)
  const sources = { ...Object.fromEntries(names.map((name, number) => [name, sourceOf(number)])), ...texts }
  for (const [name, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const home = tempFolder('scans')
  const programs = tempFolder('agents')
  const env = { DEEPSCAN_HOME: home, PATH: `${programs}:${toolPath()}` }
  const deepscan = (...args: string[]) => run('deepscan', args, { cwd: root, env })
  /** Makes a scan of what is there now, a chunk a file, and the current one. */
  const init = () => {
    const made = deepscan('init', '.', '--query', 'What is dangerous?', '--quiet', '--force')
    if (made.code !== 0) throw new Error(made.stderr)
    const scan = join(home, 'scans', made.stdout.trim())
    const texts = Object.keys(sources).map((name) => [name, readFileSync(join(root, name), 'utf8')])
    writeFileSync(join(scan, 'chunks.jsonl'), chunksOf(Object.fromEntries(texts)))
    return scan
  }
  const folder = init()
  const lines = (name: string) => linesIn(join(folder, name))
  return {
    ...{ root, home, folder, env, programs, deepscan, init, lines, linesIn },
    map: (agent: string, ...args: string[]) => deepscan('map', '--with', agent, '--backoff', '1ms', ...args),
    agent: (name: string, body: string) => {
      script(join(programs, name), `#!/usr/bin/env node\n${prelude(programs)}\n${body}\n`)
      return name
    },
    /** Calls of agents, by chunk. */
    calls: () => linesIn(join(programs, 'calls.jsonl')),
    events: (type: string) => lines('events.jsonl').filter((event) => event['type'] === type),
  }
}

export type Line = { readonly [field: string]: unknown }

function linesIn(path: string): Line[] {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Each file as a chunk. */
function chunksOf(sources: Readonly<Record<string, string>>): string {
  const paths = Object.keys(sources).sort()
  return paths
    .map((path, index) => {
      const text = sources[path] ?? ''
      const bytes = Buffer.byteLength(text)
      const span = { path, start_byte: 0, end_byte: bytes, start_line: 1, end_line: text.split('\n').length - 1 }
      const id = createHash('sha256')
        .update(JSON.stringify([span, text]))
        .digest('hex')
        .slice(0, 16)
      const sizes = { bytes, characters: text.length, tokens: Math.ceil(text.length / 4) }
      return `${JSON.stringify({ v: 1, type: 'chunk', id, index, spans: [span], ...sizes, language: 'javascript', kind: 'ast', header: null, flags: [] })}\n`
    })
    .join('')
}

/** What every scripted agent begins with. */
const prelude = (folder: string) => `
const { readFileSync, appendFileSync, writeFileSync, existsSync } = require('node:fs')
const prompt = readFileSync(0, 'utf8')
const chunk = process.env.DEEPSCAN_CHUNK
const attempt = Number(process.env.DEEPSCAN_ATTEMPT)
const path = JSON.parse(/^FILE (.*)$/m.exec(prompt)?.[1] ?? '""')
const folder = ${JSON.stringify(folder)}
appendFileSync(folder + '/calls.jsonl', JSON.stringify({ chunk, attempt, path, pid: process.pid, cwd: process.cwd(), bytes: prompt.length }) + '\\n')
const answer = (findings, more = {}) => JSON.stringify({ chunk, status: 'completed', findings, missing_info: [], partial_answer: null, ...more })
const say = (findings, more) => console.log(answer(findings, more))
/** A finding for each line with eval. */
const evals = () => prompt.split('\\n').flatMap((line) => {
  const [, number, code] = /^\\s*(\\d+)\\| (.*eval\\(.*)$/.exec(line) ?? []
  return number === undefined ? [] : [{ title: 'eval runs its argument', severity: 'high', confidence: 'high', category: 'security', path, line: Number(number), quote: code.trim(), message: 'do not' }]
})
`

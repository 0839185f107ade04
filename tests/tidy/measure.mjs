// `node tests/tidy/measure.mjs [FOLDER]`: the size and the plan of the packages of a checkout, this one unless another is
// named: a row a package, and what all come to.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Lang, parse } from '@ast-grep/napi'

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url))
const longFunction = 40
const runLines = 6
/** Files of `src` itself that put a tool together; the folder they stand in is not what they are about. */
const entryFiles = new Set(['cli.ts', 'verbs.ts', 'verb-guide.ts', 'schemas.ts', 'candidates.ts'])

const names = readdirSync(join(root, 'packages')).sort()
const rows = names.flatMap((name) => {
  const files = sourcesOf(name)
  return files.length === 0 ? [] : [{ name, files }]
})
const all = { name: 'all', files: rows.flatMap(({ files }) => files) }
const heads = [
  'package',
  'files',
  'lines',
  'median',
  'functions',
  'over 40',
  'two-way',
  'circles',
  'verbs',
  'flags',
  'repeats',
]
console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => '---|').join('')}`)
for (const row of [...rows, all]) console.log(`| ${figuresOf(row).join(' | ')} |`)

function figuresOf({ name, files }) {
  const lines = files.map(({ text }) => text.trimEnd().split('\n').length).sort((a, b) => a - b)
  const functions = files.flatMap(functionLengths)
  const plans = name === 'all' ? rows.map(({ files: own }) => own) : [files]
  const sum = (of) => plans.reduce((total, own) => total + of(own), 0)
  return [
    name,
    files.length,
    lines.reduce((total, count) => total + count, 0),
    lines[Math.floor(lines.length / 2)],
    functions.length,
    functions.filter((length) => length > longFunction).length,
    sum(twoWayPairs),
    sum(circles),
    files.reduce((total, file) => total + verbsListedBy(file), 0),
    files.reduce((total, file) => total + flagsIn(file, files), 0),
    repeatedPairs(files),
  ]
}

function sourcesOf(name) {
  const folder = join(root, 'packages', name, 'src')
  try {
    return readdirSync(folder, { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function functionLengths({ text }) {
  const kinds = [
    'function_declaration',
    'method_definition',
    'arrow_function',
    'function_expression',
    'generator_function_declaration',
  ]
  const tree = parse(Lang.TypeScript, text).root()
  return kinds.flatMap((kind) =>
    tree.findAll({ rule: { kind } }).map((node) => node.range().end.line - node.range().start.line + 1),
  )
}

/** The files of the same package that each imports, types and lazy imports too. */
function arrowsOf(files) {
  return new Map(
    files.map(({ path, text }) => [
      path,
      [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) => normalize(join(dirname(path), to))),
    ]),
  )
}

function folderOf(path) {
  return entryFiles.has(path) ? 'entry' : dirname(path)
}

/** Pairs of folders of which each imports the other. */
function twoWayPairs(files) {
  const pairs = new Set()
  for (const [from, others] of arrowsOf(files))
    for (const to of others) if (folderOf(from) !== folderOf(to)) pairs.add(`${folderOf(from)} ${folderOf(to)}`)
  return [...pairs].filter((pair) => pairs.has(pair.split(' ').reverse().join(' '))).length / 2
}

/** Groups of files that import each other in a circle. */
function circles(files) {
  const arrows = arrowsOf(files)
  const reach = new Map([...arrows.keys()].map((file) => [file, reachable(file, arrows)]))
  const groups = [...reach].filter(([file, others]) => others.has(file))
  return new Set(
    groups.map(([file, others]) =>
      [...others]
        .filter((one) => reach.get(one)?.has(file))
        .sort()
        .join(),
    ),
  ).size
}

function reachable(from, arrows) {
  const seen = new Set()
  const open = [...(arrows.get(from) ?? [])]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    open.push(...(arrows.get(file) ?? []))
  }
  return seen
}

/** Verbs that a file adds to the list in `help`: those it defines, less those that its guide keeps for programs. */
function verbsListedBy({ text }) {
  const [, forPrograms = ''] = /\bforPrograms: \[(.*?)\]/.exec(text) ?? []
  return [...text.matchAll(/\bdefineVerb\(/g)].length - [...forPrograms.matchAll(/'/g)].length / 2
}

/** Flags that a verb declares, less those for programs; those that it spreads in are counted where they are defined. */
function flagsIn({ text }, files) {
  if (!text.includes('defineVerb(')) return 0
  const own = objectAfter(text, /\bflags:\s*\{/)
  if (own === undefined) {
    const named = /\bflags:\s*(\w+)/.exec(text)?.[1]
    return named === undefined ? 0 : keysOf(named, files)
  }
  const spread = [...own.matchAll(/\.\.\.(\w+)/g)].reduce((total, [, name]) => total + keysOf(name, files), 0)
  const forPrograms = [...own.matchAll(/\bforPrograms: true\b/g)].length
  return [...own.matchAll(/\btype: '/g)].length - forPrograms + spread
}

function keysOf(name, files) {
  for (const { text } of files) {
    const body = objectAfter(text, new RegExp(`\\bconst ${name}\\b[^=]*=\\s*\\{`))
    if (body !== undefined) return [...body.matchAll(/\btype: '/g)].length
  }
  return 0
}

function objectAfter(text, begin) {
  const found = begin.exec(text)
  if (found === null) return undefined
  const start = found.index + found[0].length
  let depth = 1
  let at = start
  for (; at < text.length && depth > 0; at++) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
  return text.slice(start, at - 1)
}

/** Pairs of files that have six lines in common, one behind the other; imports, comments and lone brackets do not count. */
function repeatedPairs(files) {
  const places = new Map()
  for (const { path, text } of files) {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /\w{2}/.test(line) && !/^(?:import|export \{|\/\/|\/?\*|\} from)/.test(line))
    for (let at = 0; at + runLines <= lines.length; at++) {
      const run = lines.slice(at, at + runLines).join('\n')
      places.set(run, (places.get(run) ?? new Set()).add(path))
    }
  }
  const pairs = new Set()
  for (const paths of places.values()) {
    const sorted = [...paths].sort()
    sorted.forEach((one, at) => {
      for (const other of sorted.slice(at + 1)) pairs.add(`${one} ${other}`)
    })
  }
  return pairs.size
}

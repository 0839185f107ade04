import { Lang, parse, type SgNode } from '@ast-grep/napi'
import { circleComplaints, floorComplaints } from './floors.ts'
import { type Complaint, isCode, isProduct, type Source } from './source.ts'

const fileLinesMax = 300
const functionLinesMax = 70
const lineLengthMax = 120

const tools = ['jwz', 'tissue', 'scope', 'deepscan', 'loop', 'socrates', 'debate', 'relay']
const mayImport: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  'cli-kit': ['ground'],
  jsonl: ['ground'],
  topic: ['ground', 'cli-kit', 'jsonl'],
  exec: ['ground'],
  guard: ['ground'],
  wire: ['ground', 'cli-kit', 'jsonl', 'guard'],
  'model-server': ['ground'],
  sandbox: ['ground', 'cli-kit', 'exec'],
}
const onlyImporter: Readonly<Record<string, string>> = {
  citty: 'cli-kit',
  nanoid: 'ground',
  'proper-lockfile': 'jsonl',
  execa: 'exec',
  '@ast-grep/napi': 'deepscan',
  ignore: 'deepscan',
  unbash: 'guard',
  esbuild: 'scope',
  ink: 'scope',
  react: 'scope',
  'yoga-layout': 'scope',
  'jsonc-parser': 'wire',
  '@nats-io/jetstream': 'relay',
  '@nats-io/transport-node': 'relay',
}

type Rule = (source: Source) => Complaint[]

function lineOf({ text }: Source, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** A rule that forbids a pattern in the files it looks at. */
function forbids(pattern: RegExp, instead: string, looksAt: (source: Source) => boolean): Rule {
  return (source) => {
    if (!looksAt(source)) return []
    return [...source.text.matchAll(pattern)].map(
      ({ index, 0: found }) => `${source.path}:${lineOf(source, index)}: ${found.trim()}: ${instead}`,
    )
  }
}

/** The tests' own package runs processes; cli-kit is the boundary to ours. */
const isOutsideBoundary = (source: Source) =>
  isProduct(source) && !['cli-kit', 'testkit'].includes(source.package ?? '')

const shortFiles: Rule = (source) => {
  const lines = source.text.split('\n').length
  return isCode(source) && lines > fileLinesMax
    ? [`${source.path}: ${lines} lines: split it by question, ${fileLinesMax} at most`]
    : []
}

const shortLines: Rule = (source) => {
  if (!isProduct(source)) return []
  return source.text.split('\n').flatMap((line, index) => {
    // The formatter cannot break a text or a pattern, and neither should we.
    const isLiteral = /`|^\s*\/[^*/]|['"].{60}/.test(line)
    return line.length > lineLengthMax && !isLiteral
      ? [`${source.path}:${index + 1}: ${line.length} columns: break it, ${lineLengthMax} at most`]
      : []
  })
}

const functionKinds = [
  'function_declaration',
  'method_definition',
  'arrow_function',
  'function_expression',
  'generator_function_declaration',
]

function functionsIn(text: string): SgNode[] {
  const tree = parse(Lang.TypeScript, text).root()
  return functionKinds.flatMap((kind) => tree.findAll({ rule: { kind } }))
}

const shortFunctions: Rule = (source) => {
  if (!isProduct(source)) return []
  return functionsIn(source.text).flatMap((node) => {
    const { start, end } = node.range()
    const lines = end.line - start.line + 1
    return lines > functionLinesMax
      ? [`${source.path}:${start.line + 1}: a function of ${lines} lines: a screen holds ${functionLinesMax}`]
      : []
  })
}

const namedForAQuestion: Rule = ({ path }) =>
  /(^|\/)(utils?|helpers?|common|misc|types|manager|service)\.(ts|mjs|cjs)$/.test(path)
    ? [`${path}: name the file for the question it answers, and move each function beside its caller`]
    : []

/** The one list of what hot verbs use of Node is made of nothing else. */
const machine = 'packages/ground/src/machine.ts'

const noBarrels: Rule = (source) => {
  if (!isProduct(source) || source.path === machine || /^packages\/[^/]+\/src\/index\.ts$/.test(source.path)) return []
  const statements = source.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim()
  const isBarrel = statements !== '' && /^(export\s+(type\s+)?(\*|\{[^}]*\})\s+from\s+'[^']+'\s*)+$/.test(statements)
  return isBarrel ? [`${source.path}: only re-exports: import from the files themselves`] : []
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '')
}

/** Who may import whom, and one importer a package. */
const walls: Rule = (source) => {
  const from = source.package
  if (!isProduct(source) || from === undefined || from === 'testkit') return []
  return importsOf(source.text).flatMap((specifier) => {
    const where = `${source.path}: imports ${specifier}: `
    const sibling = /^@switchyard\/([^/]+)/.exec(specifier)?.[1]
    if (sibling && tools.includes(sibling))
      return [`${where}a tool is no library: run its command, or move the code to a library`]
    if (sibling && mayImport[from] && !mayImport[from].includes(sibling))
      return [`${where}libraries depend downwards only (docs/architecture.md)`]
    if (/^(\.\.\/){2,}/.test(specifier) && specifier.includes('/src/'))
      return [`${where}go through the package's exports`]
    const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
    const importer = onlyImporter[name]
    if (importer && importer !== from) return [`${where}${importer} is the only importer of ${name}`]
    if (name === 'zod' && !/[sS]chema/.test(source.path + source.text))
      return [`${where}zod belongs where a schema is; import the type it infers`]
    return []
  })
}

/** `Object.prototype` has names too: a word from outside must not find them in a table. */
const ownKeys: Rule = (source) => {
  if (!isProduct(source)) return []
  const tables = source.text.matchAll(/\bconst (\w+): (?:Readonly<)?Record<string, [^=]*= \{(?!\})/g)
  return [...tables].flatMap(({ index, 1: name }) => {
    const isRead = new RegExp(`\\b${name}(?:\\?\\.)?\\[(?!')`).test(source.text)
    return isRead && !source.text.includes(`Object.hasOwn(${name},`)
      ? [
          `${source.path}:${lineOf(source, index)}: ${name} is read by a word: make it a Map, or ask Object.hasOwn first`,
        ]
      : []
  })
}

/** Rules for one file at a time. What biome, knip and turbo's boundaries check already is not repeated here. */
export const rules: readonly Rule[] = [
  shortFiles,
  shortLines,
  shortFunctions,
  namedForAQuestion,
  noBarrels,
  walls,
  floorComplaints,
  ownKeys,
  forbids(
    /\bprocess\.(exit|argv|env|stdout|stderr|stdin)\b/g,
    'only cli-kit touches the process; take it from the context',
    isOutsideBoundary,
  ),
  forbids(/\bconsole\.\w+/g, 'results go through output, words for people through output.note', isProduct),
  forbids(
    /@ts-(ignore|expect-error|nocheck)|\bas any\b|\bas unknown as\b/g,
    'say the type, or parse the value',
    isCode,
  ),
  forbids(
    /instanceof Fail(?=ure)/g,
    'each lazily loaded file has its own copy of the class: isFailure',
    isOutsideBoundary,
  ),
  forbids(
    /catch *(\([^)]*\))? *\{\s*(return[^;\n]*;?\s*)?\}/g,
    'catch the code you expect and rethrow the rest',
    isProduct,
  ),
  forbids(
    /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g,
    'do it, or file an issue',
    (source) => isCode(source) && !source.path.includes('deepscan'),
  ),
  forbids(
    /\bthrowIfNoEntry\b/g,
    'versions of Node answer it differently below a file; ask ground/at-path',
    (source) => isProduct(source) && !source.path.endsWith('ground/src/at-path.ts'),
  ),
  forbids(
    /(?:\/\*\* ?(?:\n\s*\* )?|(?<!\/\/.*\n)^\s*\/\/ )(?:The same|Those|That of|What of|Of)\b/gm,
    'a comment stands alone: name the thing, not its neighbour',
    isCode,
  ),
  forbids(/\bvi\.(mock|spyOn|fn)\b/g, 'use the real thing in a folder of its own', isCode),
  forbids(/\b(it|describe|test)\.(skip|only|todo)\b/g, 'a test that does not run is no test', isCode),
  forbids(/(?<![\w.])\/(work|root|Users)\/[\w.-]+/g, 'no path of one machine belongs here', () => true),
]

/** Complaints about the tree as a whole: what every package must have, and a test title for every verb. */
export function packageComplaints(sources: readonly Source[]): Complaint[] {
  const paths = new Set(sources.map(({ path }) => path))
  const packages = new Set(sources.flatMap((source) => source.package ?? []))
  const missing = [...packages].flatMap((name) =>
    ['README.md', 'CHANGELOG.md']
      .filter((file) => !paths.has(`packages/${name}/${file}`))
      .map((file) => `packages/${name}: has no ${file}`),
  )
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'))
  const untested = [...packages].filter((name) => name !== 'build' && !tests.some((test) => test.package === name))
  const unnamed = sources.flatMap(({ path }) => {
    const [, verb] = /^packages\/[^/]+\/src\/commands\/(.+)\.ts$/.exec(path) ?? []
    if (verb === undefined) return []
    const words = verb.replace('-', ' ').split(' ')
    const isRun = tests.some(({ text }) => words.every((word) => text.includes(`'${word}'`)))
    return isRun ? [] : [`${path}: no test runs ${words.join(' ')}: give it one that runs the built tool`]
  })
  return [
    ...missing,
    ...circleComplaints(sources),
    ...untested.map((name) => `packages/${name}: has no test`),
    ...unnamed,
  ]
}

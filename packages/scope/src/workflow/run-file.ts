// Running the file of a workflow: JSON is read, TypeScript and JavaScript are bundled and imported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readIfThere } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { workflowApi } from './builder.ts'
import type { Host } from './host.ts'
import { parsed } from './phase.ts'
import { workflowFile } from './phase-schema.ts'

const globalName = '@switchyard/scope/workflow'

/** Runs a file to its end, with all workflows that it runs. Exits 2 when it is none, 3 when it is not there. */
export async function runFile(host: Host): Promise<void> {
  const text = readIfThere(host.file)
  if (text === undefined) throw new Failure('notFound', `expected a workflow, there is no file ${host.file}`)
  const api = workflowApi(host)
  if (extname(host.file) === '.json') await runJson(api, text, host)
  else await importFile(host, api)
  await api.settled()
}

async function runJson(
  { Workflow, param }: ReturnType<typeof workflowApi>,
  text: string,
  { file }: Host,
): Promise<void> {
  const { name, phases } = parsed(workflowFile, parseJson(text), file)
  const workflow = new Workflow(name)
  for (const { name: phase, ...options } of phases) workflow.phase(phase, filled(options, param))
  await workflow.run()
}

/** The value with `{{name}}` in its texts replaced by that parameter. */
function filled(value: unknown, param: (name: string) => string): unknown {
  if (typeof value === 'string') return value.replace(/\{\{([\w-]+)\}\}/g, (_, name) => param(name))
  if (Array.isArray(value)) return value.map((one) => filled(one, param))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, param)]))
}

async function importFile(host: Host, api: object): Promise<void> {
  const { file } = host
  const folder = mkdtempSync(join(tmpdir(), 'scope-workflow-'))
  Reflect.set(globalThis, Symbol.for(globalName), api)
  try {
    const module = join(folder, 'workflow.mjs')
    writeFileSync(module, await bundled(host))
    await importModule(pathToFileURL(module).href)
  } catch (error) {
    if (isFailure(error) || host.signal.aborted) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new Failure('failed', `${file} has failed: ${message}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A real import, which the bundle of this tool would make a `require`; only that can wait at the top level. */
const importModule: (url: string) => Promise<unknown> = Object.getPrototypeOf(async () => undefined).constructor(
  'url',
  'await import(url)',
)

/** The file with all that it imports, but for what Node brings, as one module. Exits 2 when it does not compile. */
async function bundled({ file, keepsStdout }: Host): Promise<string> {
  const { build } = await import('esbuild')
  const here = JSON.stringify(pathToFileURL(file).href)
  try {
    const { outputFiles } = await build({
      ...{ entryPoints: [file], bundle: true, write: false, platform: 'node', format: 'esm', target: 'node20' },
      ...{ logLevel: 'silent', absWorkingDir: dirname(file) },
      banner: { js: [requiring(here), ...(keepsStdout ? [talking] : [])].join('\n') },
      define: { 'import.meta.url': here, 'import.meta.dirname': JSON.stringify(dirname(file)) },
      plugins: [{ name: 'workflow', setup: resolveOurs }],
    })
    return outputFiles[0]?.text ?? ''
  } catch (error) {
    const [first] = errorsOf(error)
    if (first === undefined) throw error
    const place = first.location === null ? file : `${file}:${first.location.line}`
    throw new Failure('usage', `${place}: ${first.text}`)
  }
}

/** What a module of CommonJS that was bundled finds. */
const requiring = (url: string) =>
  `import { createRequire as __from } from 'node:module'; const require = __from(${url});`

/** Has the words of the file go to people, where stdout is for the result. */
const talking = `import { Console as __Console } from 'node:console'
import { stderr as __stderr } from 'node:process'
const console = new __Console(__stderr)`

type Problem = { readonly text: string; readonly location: { readonly line: number } | null }

function errorsOf(error: unknown): readonly Problem[] {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}

/** Has the file import the builder of this very process, wherever it lies. */
function resolveOurs(esbuild: import('esbuild').PluginBuild): void {
  esbuild.onResolve({ filter: /^@switchyard\/scope\/workflow$/ }, ({ path }) => ({ path, namespace: 'ours' }))
  esbuild.onLoad({ filter: /.*/, namespace: 'ours' }, () => ({
    contents: `export const { Workflow, Phase, PhaseResult, param } = globalThis[Symbol.for('${globalName}')]`,
  }))
}

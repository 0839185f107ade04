import singlefile from '@jitl/quickjs-singlefile-cjs-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext } from 'quickjs-emscripten-core'
import * as z from 'zod'
import type { Outcome } from './outcome.ts'
import { prelude } from './prelude.ts'
import type { Helpers } from './reading-helpers.ts'

declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object }

const pageBytes = 65_536
const stackBytes = 262_144

/** `begin` starts the time, `deadline` says that it is over. */
export type Bounds = { memoryBytes: number; begin: () => void; deadline: () => boolean; printedMax: number }

/**
 * Runs JavaScript in an engine that was compiled to WebAssembly: it has no file, no network, no timer, no module and no
 * process, only the helpers. The memory of the engine is bounded by WebAssembly itself; the engine's own limit forgets
 * the bytes of typed arrays.
 */
export async function runIsolated(code: string, helpers: Helpers, bounds: Bounds): Promise<Outcome> {
  const maximum = Math.floor(bounds.memoryBytes / pageBytes)
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum })
  const variant = newVariant(singlefile.default, { wasmMemory })
  if (variant.type !== 'sync') throw new Error('bug: the engine does not answer at once')
  const engine = await newQuickJSWASMModuleFromVariant(variant)
  const runtime = engine.newRuntime()
  runtime.setMaxStackSize(stackBytes)
  runtime.setInterruptHandler(bounds.deadline)
  const context = runtime.newContext()
  const printed = offer(context, helpers, bounds)
  context.unwrapResult(context.evalCode(prelude, 'prelude.js')).dispose()
  bounds.begin()
  const result = context.evalCode(code, 'code.js')
  if (result.error === undefined) {
    const show = context.getProp(context.global, '__show')
    const shown = context.callFunction(show, context.undefined, result.value)
    if (shown.error === undefined) {
      const value: unknown = context.dump(shown.value)
      return outcome('done', printed(), typeof value === 'string' ? value : null, null)
    }
    return ended(printed(), context.dump(shown.error), bounds)
  }
  return ended(printed(), context.dump(result.error), bounds)
}

/** Gives the code one function, through which the helpers are called by name, in JSON; the printed text comes back. */
function offer(context: QuickJSContext, helpers: Helpers, { printedMax, deadline }: Bounds): () => string {
  let printed = ''
  const call = context.newFunction('__call', (nameHandle, argumentsHandle) => {
    const name = context.getString(nameHandle)
    const text = context.getString(argumentsHandle)
    if (name === 'print') {
      if (printed.length + text.length <= printedMax) printed += `${text}\n`
      else if (!printed.endsWith('…\n')) printed += '…\n'
      return context.newString('{}')
    }
    return context.newString(answer(helpers, name, text, deadline))
  })
  context.setProp(context.global, '__call', call)
  call.dispose()
  return () => printed
}

function answer(helpers: Helpers, name: string, text: string, deadline: () => boolean): string {
  if (deadline()) return JSON.stringify({ error: 'the time is over' })
  const helper = helpers.get(name)
  if (helper === undefined) return JSON.stringify({ error: `there is no ${name}` })
  try {
    const given: unknown = JSON.parse(text)
    return JSON.stringify({ value: helper(Array.isArray(given) ? given : []) ?? null })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return JSON.stringify({ error: error.message })
  }
}

function ended(printed: string, error: unknown, { deadline }: Bounds): Outcome {
  const { name, message, stack } = told(error)
  if (deadline()) return outcome('late', printed, null, message)
  if (name === 'InternalError' && message === 'out of memory') return outcome('memory', printed, null, message)
  const place = /code\.js:(\d+)/.exec(stack)?.[1]
  return outcome('thrown', printed, null, `${name}: ${message}${place === undefined ? '' : `, line ${place}`}`)
}

function outcome(kind: Outcome['kind'], printed: string, value: string | null, message: string | null): Outcome {
  return { v: 1, type: 'outcome', kind, printed, value, message }
}

const fieldsSchema = z.object({
  name: z.string().catch('Error'),
  message: z.string().catch(''),
  stack: z.string().catch(''),
})

/** What code throws may be anything. */
function told(error: unknown): z.infer<typeof fieldsSchema> {
  const fields = fieldsSchema.safeParse(error)
  return fields.success ? fields.data : { name: 'thrown', message: JSON.stringify(error) ?? 'nothing', stack: '' }
}

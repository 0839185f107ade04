// Global objects of the host that hot files may use, beside those of the language: with `ground/machine.ts` all that
// another engine has to offer. Who needs one more adds it, with the reason.
const globals = new Set([
  // Bytes: files are read, searched and written as they are.
  ...['alloc', 'allocUnsafe', 'byteLength', 'compare', 'concat', 'from', 'of'].map((name) => `Buffer.${name}`),
  'TextDecoder',
  // A lock is waited for without a promise, as nothing else is done meanwhile.
  'Atomics.wait',
  'SharedArrayBuffer',
  // Follow, wait and the hooks end at a time, or when they are told to.
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
  ...['AbortController', 'AbortSignal.any', 'AbortSignal.timeout'],
  // A cache file is closed when nobody can reach it any more.
  'FinalizationRegistry',
  // The boundary, in cli.cjs alone: what a call is given, and its end.
  ...['argv', 'cwd', 'env', 'exit', 'exitCode', 'kill', 'off', 'on', 'once', 'pid', 'stdout'].map(
    (name) => `process.${name}`,
  ),
  'process.getBuiltinModule',
])

const words =
  'Buffer process TextDecoder TextEncoder Atomics SharedArrayBuffer setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask AbortController AbortSignal URL URLSearchParams performance structuredClone fetch FinalizationRegistry WeakRef Intl WebAssembly navigator console crypto Worker MessageChannel BroadcastChannel Blob ReadableStream WritableStream'.split(
    ' ',
  )

/** The globals of the host that a bundle uses and may not, each with its member; and how it compares by locale. */
export function foreignGlobals(text) {
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
  const used = words.flatMap((word) => [...bare.matchAll(useOf(word))].map(([, member = '']) => word + member))
  const byLocale = [...bare.matchAll(/\.(localeCompare|toLocale\w+)\b/g)].map(([, name]) => name)
  const isKnown = (name) => globals.has(name) || globals.has(name.split('.')[0])
  return [...new Set([...used.filter((name) => !isKnown(name)), ...byLocale])]
}

/** A message may say `process`: who means the object asks for a member of it. */
const useOf = (word) =>
  new RegExp(word === 'process' ? '(?<![\\w.$])process(\\.\\w+)' : `(?<![\\w.$])${word}\\b(?!\\s*:)(\\.\\w+)?`, 'g')

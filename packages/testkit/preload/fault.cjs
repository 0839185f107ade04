// Loaded with `node --require`: wraps the synchronous calls of node:fs and stops the process exactly between two of them.
// The variables are taken out of the environment, so that children of the process under test run undisturbed.
const fs = require('node:fs')

const rule = JSON.parse(process.env.SWITCHYARD_FAULT ?? 'null')
delete process.env.SWITCHYARD_FAULT
delete process.env.NODE_OPTIONS

// Some are made of others, depending on their arguments; only the outermost counts.
const calls = [
  'openSync',
  'closeSync',
  'writeSync',
  'readSync',
  'fstatSync',
  'statSync',
  'lstatSync',
  'fdatasyncSync',
  'fsyncSync',
  'mkdirSync',
  'rmdirSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'utimesSync',
  'readFileSync',
  'readdirSync',
  'rmSync',
  'copyFileSync',
  'writeFileSync',
  'appendFileSync',
]
const pathOf = new Map()
const original = { ...fs }
let count = 0
let depth = 0

function trace(line) {
  const file = original.openSync(rule.trace, 'a')
  original.writeSync(file, line)
  original.closeSync(file)
}

function fail(code, call, path) {
  const error = new Error(`${code}: injected fault, ${call} '${path}'`)
  throw Object.assign(error, { code, syscall: call, path })
}

function act(call, path, args) {
  const { action } = rule
  if (action === 'kill' || action === 'stop') {
    process.kill(process.pid, action === 'kill' ? 'SIGKILL' : 'SIGSTOP')
    return undefined
  }
  if (action !== 'short') return fail(action, call, path)
  const bytes = typeof args[1] === 'string' ? Buffer.from(args[1]) : args[1]
  return { written: original.writeSync(args[0], bytes.subarray(0, bytes.length >> 1)) }
}

if (rule) {
  for (const call of calls) {
    fs[call] = function wrapped(...args) {
      const target = typeof args[0] === 'number' ? (pathOf.get(args[0]) ?? `fd ${args[0]}`) : String(args[0])
      const watched =
        depth === 0 &&
        (rule.call === '*' || rule.call === call) &&
        !/node_modules|\/dist\/|\.c?js$/.test(target) &&
        args[0] !== 1 &&
        args[0] !== 2
      if (watched && (!rule.match || target.includes(rule.match))) {
        count += 1
        if (rule.trace) trace(`${count} ${call} ${target}\n`)
        if (count === rule.nth) {
          const result = act(call, target, args)
          if (result) return result.written
        }
      }
      depth += 1
      try {
        const value = original[call].apply(fs, args)
        if (call === 'openSync') pathOf.set(value, String(args[0]))
        return value
      } finally {
        depth -= 1
      }
    }
  }
}

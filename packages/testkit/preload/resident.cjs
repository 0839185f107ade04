// A process that runs built tools one after the other, each command line as if it had been started for it: modules
// loaded anew, working folder, environment, stdin and exit code of its own. What it writes comes back in the answer.
// Only what the tools share that is not theirs, zod and execa, stays loaded: to make zod anew costs more than most calls.
// `node resident.cjs REQUESTS ANSWERS`: two named pipes; a request and an answer are a length (4 bytes) and JSON.
// `node resident.cjs FOLDER`: for whoever calls asks.sh there, by their pid, as the system shows them.
const fs = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')
const [requests, answers] = process.argv.slice(2)
const folder = answers === undefined ? requests : undefined
const real = process
const { readSync, writeSync } = fs
// What a tool does before its process ends by itself is the end of a process, and has no place here.
const handlers = ['exit', 'beforeExit', 'uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM', 'SIGHUP']

/** Modules that know nothing of a call. */
const stays = /[\\/]dist[\\/](?:zod|execa)\.cjs$/

/** The call that is under way: its stdin and how much of it is read, what it wrote. */
let call

fs.readSync = (fd, buffer, ...rest) => {
  if (fd !== 0) return readSync(fd, buffer, ...rest)
  const { offset = 0, length = buffer.byteLength - offset } =
    typeof rest[0] === 'object' && rest[0] !== null ? rest[0] : { offset: rest[0], length: rest[1] }
  const taken = call.stdin.subarray(call.read, call.read + length)
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(taken, offset)
  call.read += taken.length
  return taken.length
}
fs.writeSync = (fd, data, ...rest) => {
  if (fd !== 1 && fd !== 2) return writeSync(fd, data, ...rest)
  const bytes = Buffer.from(data).subarray(typeof rest[0] === 'number' ? rest[0] : 0)
  call.written[fd - 1].push(bytes)
  return bytes.length
}

/** What V8 has made of a file's text, the functions that it has compiled since among them. */
const compiled = new Map()

const { Script } = vm

/** Each call makes modules of its own from it, of functions that a former call has had compiled. */
function scriptOf(text, options) {
  const known = compiled.get(options.filename)
  if (known?.text === text) return known.script
  const script = new Script(text, options)
  compiled.set(options.filename, { text, script })
  return script
}
vm.Script = scriptOf
Module.prototype._compile = function (text, filename) {
  const script = scriptOf(Module.wrap(text.replace(/^#!.*/, '')), { filename })
  const load = Module.createRequire(filename)
  return script.runInThisContext().call(this.exports, this.exports, load, this, filename, dirname(filename))
}

/** The process as the tool sees it: the real one, but for its end and for what it listens to. */
const seen = new Proxy(real, {
  get(target, name) {
    if (name === 'exitCode') return call.exitCode
    if (name === 'argv') return call.argv
    if (name === 'exit') return exit
    if (name === 'stdin') throw new Error('the resident has no stream of stdin: start a process for this')
    if (name === 'on' || name === 'once') return listen
    if (name === 'off') return forget
    const value = Reflect.get(target, name, target)
    return typeof value === 'function' ? value.bind(target) : value
  },
  set(target, name, value) {
    if (name !== 'exitCode') return Reflect.set(target, name, value, target)
    call.exitCode = value
    return true
  },
})
globalThis.process = seen
/** What every call finds; a call may add to it for itself alone. */
const globals = new Set(Object.getOwnPropertyNames(globalThis))

/** Thrown through a call that ends its process. */
const over = new Error('the call is over')

function exit(code) {
  if (code !== undefined) call.exitCode = code
  answer(true)
  if (folder === undefined) real.exit(0)
  throw over
}

/** A caller through named pipes may not have opened them yet: what it was answered goes with this process. */
const goOn = () => (folder === undefined ? real.exit(0) : setImmediate(next))

function listen(event, handler) {
  if (!handlers.includes(event)) throw new Error(`the resident knows no event ${event}`)
  call.listeners.push([event, handler])
  if (event.startsWith('SIG')) real.on(event, handler)
  return seen
}

function forget(event, handler) {
  call.listeners = call.listeners.filter(([name, known]) => name !== event || known !== handler)
  real.off(event, handler)
  return seen
}

function emit(event, ...values) {
  const found = call.listeners.filter(([name]) => name === event)
  call.listeners = call.listeners.filter(([name]) => name !== event || name.startsWith('SIG'))
  for (const [, handler] of found) handler(...values)
  return found.length > 0
}

for (const event of ['uncaughtException', 'unhandledRejection'])
  real.on(event, (error) => {
    if (error === over) return goOn()
    if (emit('uncaughtException', error)) return
    call.written[1].push(Buffer.from(`${error?.stack ?? error}\n`))
    call.exitCode = 1
    answer(true)
    goOn()
  })

/** Begins a call; it is over when nothing is left that a process would wait for, or at its `exit`. */
function begin({ bin, args, cwd, env, stdin }) {
  call = {
    argv: [real.argv[0], bin, ...args],
    stdin: Buffer.from(stdin, 'base64'),
    read: 0,
    written: [[], []],
    exitCode: undefined,
    listeners: [],
  }
  real.chdir(cwd)
  for (const name of Object.keys(real.env)) if (!Object.hasOwn(env, name)) delete real.env[name]
  Object.assign(real.env, env)
  require(bin)
}

/** Answers the call that is over; `last` when this process ends with it. */
function answer(last) {
  emit('exit', call.exitCode)
  for (const [event, handler] of call.listeners) real.off(event, handler)
  for (const path of Object.keys(require.cache))
    if (path !== __filename && !stays.test(path)) delete require.cache[path]
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!globals.has(name)) delete globalThis[name]
  module.children.length = 0
  if (folder !== undefined) return answerCaller()
  const [stdout, stderr] = call.written.map((parts) => Buffer.concat(parts).toString('base64'))
  const body = Buffer.from(JSON.stringify({ code: call.exitCode ?? 0, stdout, stderr, last }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  const whole = Buffer.concat([length, body])
  for (let done = 0; done < whole.length; ) done += writeSync(to, whole, done)
}

/** The process that asks, and waits. */
let caller

function answerCaller() {
  const [out, err] = call.written.map((parts) => Buffer.concat(parts))
  fs.writeFileSync(join(folder, 'out'), out)
  fs.writeFileSync(join(folder, 'err'), err)
  writeSync(to, `${caller} ${call.exitCode ?? 0}\n`)
}

function nextCaller() {
  const line = []
  for (let byte = readBytes(1); byte?.[0] !== 10; byte = readBytes(1)) {
    if (byte === undefined) return leave()
    line.push(byte[0])
  }
  caller = Buffer.from(line).toString()
  const asked = callOf(caller)
  if (asked === undefined) return nextCaller()
  begin(asked)
}

/** What a process of its own would have been given; undefined when the caller was killed. */
function callOf(pid) {
  try {
    return shownCall(pid)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return undefined
    throw error
  }
}

function shownCall(pid) {
  const of = (name) => fs.readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').slice(0, -1)
  const [, script, ...args] = of('cmdline')
  if (script === undefined) return undefined
  const env = Object.fromEntries(of('environ').map((entry) => [/^[^=]*/.exec(entry)[0], entry.replace(/^[^=]*=/, '')]))
  const stdin = args.at(-1) === '-' ? fs.readFileSync(join(folder, 'in'), 'base64') : ''
  return {
    bin: fs.realpathSync(join(folder, 'real', basename(script))),
    args,
    cwd: fs.readlinkSync(`/proc/${pid}/cwd`),
    env,
    stdin,
  }
}

function leave() {
  fs.rmSync(folder, { recursive: true, force: true })
  real.exit(0)
}

function next() {
  if (folder !== undefined) return nextCaller()
  const head = readBytes(4)
  if (head === undefined) real.exit(0)
  begin(JSON.parse(readBytes(head.readUInt32LE()).toString()))
}

function readBytes(count) {
  const bytes = Buffer.alloc(count)
  for (let done = 0; done < count; ) {
    const got = readSync(from, bytes, done, count - done, null)
    if (got === 0) return undefined
    done += got
  }
  return bytes
}

const from = fs.openSync(folder === undefined ? requests : join(folder, 'ask'), 'r')
// Nobody has to read what one was answered that was killed.
const to = folder === undefined ? fs.openSync(answers, 'w') : fs.openSync(join(folder, 'answers'), 'r+')
real.on('beforeExit', () => {
  answer(false)
  setImmediate(next)
})
next()

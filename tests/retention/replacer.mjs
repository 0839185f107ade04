// replacer FILE: puts a copy in the place of FILE again and again, until stdin ends; then says how often. It holds the
// file's lock and carries over what was appended meanwhile, so that nothing is lost by its own fault.
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const [file] = process.argv.slice(2)
let isAsked = true
process.stdin.on('end', () => {
  isAsked = false
})
process.stdin.resume()

function attempt(act, ...expected) {
  try {
    return act() ?? true
  } catch (error) {
    if (expected.includes(error.code)) return undefined
    throw error
  }
}

function readFrom(fd, start) {
  const bytes = Buffer.alloc(fstatSync(fd).size - start)
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start))
}

function append(bytes) {
  const fd = openSync(file, 'a')
  writeSync(fd, bytes)
  closeSync(fd)
}

/** Whether there was a file to replace. */
function replace() {
  const fd = attempt(() => openSync(file, 'r'), 'ENOENT')
  if (fd === undefined) return false
  const whole = readFrom(fd, 0)
  const copy = whole.subarray(0, whole.lastIndexOf('\n') + 1)
  writeFileSync(`${file}.copy`, copy)
  renameSync(`${file}.copy`, file)
  append(readFrom(fd, copy.length))
  closeSync(fd)
  return true
}

let replaced = 0
while (isAsked) {
  if (attempt(() => mkdirSync(`${file}.lock`), 'EEXIST')) {
    if (replace()) replaced += 1
    rmdirSync(`${file}.lock`)
  }
  await pause(20 + 60 * Math.random())
}
process.stdout.write(String(replaced))

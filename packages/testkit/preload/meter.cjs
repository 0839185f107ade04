// Loaded with `node --require`: counts what a process reads from files and writes it down, with its peak memory, when
// it ends.
const fs = require('node:fs')

const { report, match } = JSON.parse(process.env.SWITCHYARD_METER ?? '{}')
delete process.env.SWITCHYARD_METER
delete process.env.NODE_OPTIONS

const original = { ...fs }
const counted = new Set()
let bytes = 0

/** The peak of this program alone, where the system tells it; the other one counts the parent's before the start, too. */
function peakBytes() {
  try {
    const [, peak] = /VmHWM:\s*(\d+) kB/.exec(original.readFileSync('/proc/self/status', 'utf8')) ?? []
    if (peak) return Number(peak) * 1024
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return process.resourceUsage().maxRSS * 1024
}

if (report) {
  fs.openSync = (path, ...rest) => {
    const fd = original.openSync(path, ...rest)
    if (String(path).includes(match)) counted.add(fd)
    else counted.delete(fd)
    return fd
  }
  fs.readSync = (fd, ...rest) => {
    const count = original.readSync(fd, ...rest)
    if (counted.has(fd)) bytes += count
    return count
  }
  fs.readFileSync = (path, ...rest) => {
    const content = original.readFileSync(path, ...rest)
    if (String(path).includes(match)) bytes += Buffer.byteLength(content)
    return content
  }
  process.on('exit', () => original.writeFileSync(report, JSON.stringify({ bytes, peakBytes: peakBytes() })))
}

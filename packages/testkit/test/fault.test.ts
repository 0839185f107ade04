import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanEnv, type FaultRule, faultEnv, tempFolder } from '../src/index.ts'

const program = `
const fs = require('node:fs')
const file = fs.openSync('log', 'a')
try { process.stdout.write(String(fs.writeSync(file, 'abcdef'))) } catch (error) { process.stdout.write(error.code) }
fs.closeSync(file)
fs.writeFileSync('end', '')
`

function runFaulty(rule: FaultRule) {
  const cwd = tempFolder('fault')
  writeFileSync(join(cwd, 'program.js'), program)
  const result = spawnSync(process.execPath, ['program.js'], { cwd, env: cleanEnv(faultEnv(rule)), encoding: 'utf8' })
  return { cwd, signal: result.signal, stdout: result.stdout, log: () => readFileSync(join(cwd, 'log'), 'utf8') }
}

describe('faultEnv', () => {
  it('kills before the call', () => {
    const { signal, log } = runFaulty({ call: 'writeSync', nth: 1, action: 'kill' })
    expect(signal).toBe('SIGKILL')
    expect(log()).toBe('')
  })

  it('lets half a write through', () => {
    const { stdout, log } = runFaulty({ call: 'writeSync', nth: 1, action: 'short' })
    expect(stdout).toBe('3')
    expect(log()).toBe('abc')
  })

  it('makes a call fail with a code', () => {
    const { stdout, log, cwd } = runFaulty({ call: 'writeSync', nth: 1, action: 'ENOSPC' })
    expect(stdout).toBe('ENOSPC')
    expect(log()).toBe('')
    expect(existsSync(join(cwd, 'end'))).toBe(true)
  })

  it('lists the steps it saw', () => {
    const trace = join(tempFolder('trace'), 'trace')
    runFaulty({ call: '*', nth: 0, action: 'kill', trace })
    expect(
      readFileSync(trace, 'utf8')
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).join(' ')),
    ).toEqual(['1 openSync', '2 writeSync', '3 closeSync', '4 writeFileSync', ''])
  })
})

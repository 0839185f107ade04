import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { askResident } from '../src/resident.ts'

const folder = tempFolder('resident')

/** A program in a file of its own, and what it does as a process and in the resident, the second time it is run there. */
function both(name: string, text: string, { args = [], env = {}, input = '' }: Given = {}) {
  const bin = join(folder, `${name}.cjs`)
  script(bin, text)
  const surroundings = { ...process.env, ...env }
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    env: surroundings,
    input,
    encoding: 'utf8',
  })
  const call = { bin, args, cwd: folder, env: surroundings, input }
  askResident(call)
  return { process: { code: status, stdout, stderr }, resident: answered(call) }
}

type Given = { args?: string[]; env?: Record<string, string>; input?: string }

function answered(call: Parameters<typeof askResident>[0]) {
  const { code, stdout, stderr } = askResident(call)
  return { code, stdout, stderr }
}

describe('the resident', () => {
  it.each([
    ['words', "require('fs').writeSync(1, process.argv.slice(2).join('|'))", { args: ['a b', 'ü', ''] }],
    ['stdin', "const fs = require('fs'); fs.writeSync(1, fs.readFileSync(0))", { input: 'one\ntwo ü\n' }],
    [
      'parts',
      "const fs = require('fs'), b = Buffer.alloc(3); while (fs.readSync(0, b, 0, 3)) fs.writeSync(2, b)",
      { input: 'abcdef' },
    ],
    ['surroundings', "require('fs').writeSync(1, process.env.ASKED + process.cwd())", { env: { ASKED: 'yes ' } }],
    ['its exit code', 'process.exitCode = 7', {}],
    [
      'an exit',
      "setTimeout(() => {}, 1e6); process.on('exit', (c) => require('fs').writeSync(1, 'left ' + c)); process.exit(5)",
      {},
    ],
    ['what it waits for', "setTimeout(() => { require('fs').writeSync(1, 'later'); process.exitCode = 2 }, 30)", {}],
    [
      'a mistake that it answers for',
      "process.once('uncaughtException', (e) => { require('fs').writeSync(2, e.message); process.exitCode = 1 }); throw new Error('oh')",
      {},
    ],
    ['a promise', "Promise.reject(new Error('no')).catch((e) => require('fs').writeSync(2, e.message))", {}],
  ])('gives a program what a process would have: %s', (name, text, given) => {
    const found = both(name.replaceAll(' ', '-'), text, given)
    expect(found.resident).toEqual(found.process)
  })

  it('leaves nothing of a call to the next', () => {
    const text = `
      const fs = require('fs')
      fs.writeSync(1, String([process.env.LEFT, process.exitCode, globalThis.left, process.listenerCount('SIGINT'), process.cwd()]))
      process.env.LEFT = globalThis.left = 'left'
      process.exitCode = 3
      process.on('SIGINT', () => {})
      process.chdir('/')
      module.exports.count = (module.exports.count ?? 0) + 1
      fs.writeSync(1, String(module.exports.count))`
    const bin = join(folder, 'leaves.cjs')
    script(bin, text)
    const call = { bin, args: [], cwd: folder, env: process.env, input: '' }
    const first = answered(call)
    expect(first).toEqual({ code: 3, stdout: `,,,0,${realpathSync(folder)}1`, stderr: '' })
    expect(answered(call)).toEqual(first)
  })

  it('runs a file as it is by now, and what it requires', () => {
    const [bin, part] = ['changes.cjs', 'part.cjs'].map((name) => join(folder, name))
    const call = { bin: `${bin}`, args: [], cwd: folder, env: process.env, input: '' }
    const says = (word: string, one: string) => {
      script(`${bin}`, `#!/usr/bin/env node\nrequire('fs').writeSync(1, '${word} ' + require('./part.cjs').one++)`)
      script(`${part}`, `exports.one = ${one}`)
      return [answered(call), answered(call)].map(({ stdout }) => stdout)
    }
    expect(says('before', '1')).toEqual(['before 1', 'before 1'])
    expect(says('after', '2')).toEqual(['after 2', 'after 2'])
  })

  it('keeps zod and execa, and nothing that has their names elsewhere', () => {
    const bin = join(folder, 'keeps.cjs')
    const paths = ['dist/zod.cjs', 'dist/execa.cjs', 'dist/my-zod.cjs', 'zod.cjs']
    for (const path of paths) script(join(folder, path), 'exports.count = 0')
    const counts = paths.map((path) => `++require('./${path}').count`)
    script(bin, `require('fs').writeSync(1, [${counts}].join(' '))`)
    const call = { bin, args: [], cwd: folder, env: process.env, input: '' }
    expect([answered(call), answered(call)].map(({ stdout }) => stdout)).toEqual(['1 1 1 1', '2 2 1 1'])
  })

  it('says so when a call ends it, and begins anew for the next', () => {
    const bin = join(folder, 'dies.cjs')
    script(bin, "if (process.env.DIE) process.kill(process.pid, 'SIGKILL')")
    const call = { bin, args: [], cwd: folder, env: {}, input: '' }
    expect(() => askResident({ ...call, env: { DIE: '1' } })).toThrow('the resident ended in the middle of a call')
    expect(answered(call)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

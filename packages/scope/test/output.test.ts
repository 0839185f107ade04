import { statSync } from 'node:fs'
import { join } from 'node:path'
import { script, tempFolder } from '@switchyard/testkit'
import { expect, it } from 'vitest'
import { sessions } from './sessions.ts'

it('what an agent prints is kept up to 32 MB, and it goes on whatever it prints', () => {
  const at = sessions({ act: 'head -c 40000000 /dev/zero | tr "\\0" a >&2' })
  const id = at.spawn('Print')
  expect(at.wait(id)).toMatchObject({ code: 0, waited: { results: [{ result: 'Done as told.' }] } })
  const mark = '\n[what came behind 32000000 bytes is left out]\n'
  expect(statSync(join(at.folder(id), 'output.log')).size).toBe(32_000_000 + mark.length)
})

it('an agent goes on where the disk has no room for what it prints', () => {
  const at = sessions({ act: 'echo a; sleep 0.2; echo b' })
  const shim = join(tempFolder('shim'), 'full.cjs')
  const refusal = `throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })`
  script(shim, `require('node:fs').appendFileSync = (path) => { if (path.endsWith('output.log')) ${refusal} }\n`)
  const { code, stdout } = at.scope(['spawn', 'Print'], {}, { NODE_OPTIONS: `--require=${shim}` })
  expect([code, at.wait(stdout.trim()).code]).toEqual([0, 0])
})

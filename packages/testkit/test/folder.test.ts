import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeBusy, tempFolder } from '../src/index.ts'

/** Writes into a folder while that is there, for three seconds. */
const writer = `
const { writeFileSync } = require('node:fs')
const end = Date.now() + 3000
for (let count = 0; Date.now() < end; count++) try { writeFileSync(process.argv[1] + '/' + (count % 50), 'x') } catch {}`

it('removes a folder in which a process goes on to write, and one that is not there', async () => {
  const folder = join(tempFolder('busy'), 'store')
  const inner = join(folder, 'sessions', '0')
  mkdirSync(inner, { recursive: true })
  const child = spawn(process.execPath, ['-e', writer, inner], { stdio: 'ignore' })
  const ended = new Promise((done) => child.once('close', done))
  while (readdirSync(inner).length === 0) await new Promise((done) => setTimeout(done, 20))
  removeBusy(folder)
  expect(existsSync(folder)).toBe(false)
  removeBusy(folder)
  await ended
  expect(existsSync(folder)).toBe(false)
})

// An agent whose prompt is pasted into its terminal.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnv } from '@switchyard/testkit'
import { onTestFinished } from 'vitest'
import { socketOf } from '../src/tmux/tmux.ts'

/** Ends the tmux server of a store with the test. */
export const endsTmux = ({ root }: { root: string }) =>
  onTestFinished(
    () => void spawnSync('tmux', ['-L', socketOf({ path: join(root, '.scope') }), 'kill-server'], { env: cleanEnv() }),
  )

/** Reads its terminal raw, as agents do: what comes between the marks of a paste, and how often Enter comes after it. */
export const pasteReader = `
const { writeFileSync } = require('node:fs')
process.stdin.setRawMode(true)
process.stdout.write('\\u001b[?2004hready')
let bytes = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  bytes = Buffer.concat([bytes, chunk])
  const begin = bytes.indexOf('\\u001b[200~')
  const end = bytes.indexOf('\\u001b[201~')
  if (begin < 0 || end < 0 || !bytes.subarray(end).includes('\\r')) return
  writeFileSync('pasted', bytes.subarray(begin + 6, end))
  setTimeout(() => {
    writeFileSync('submitted', String(bytes.subarray(end).toString().split('\\r').length - 1))
    process.exit(0)
  }, 1500)
})
`

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('pipelines', import.meta.url))
const scripts = readdirSync(folder).filter((name) => /^\d/.test(name))

describe('in a real shell', () => {
  it.each(scripts)('%s', (script) => {
    const result = spawnSync('bash', [join(folder, script)], {
      cwd: tempFolder('pipeline'),
      env: cleanEnv({ LIB: join(folder, 'lib.sh') }),
      encoding: 'utf8',
    })
    expect({ code: result.status, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
  })
})

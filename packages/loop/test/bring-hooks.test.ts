// What an agent does that `loop run` starts is guarded without an install, or the person is told that it is not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, script, tempFolder, toolPath } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { leftovers, ok, place } from './place.ts'

describe('the hooks of an agent that a run starts', () => {
  const at = place()
  const bin = tempFolder('bin')
  const home = tempFolder('home')
  const said = JSON.stringify({ type: 'result', result: '<loop-done>done</loop-done>', session_id: 's' })
  for (const name of ['claude', 'codex', 'aider']) {
    const note = `printf '%s\\n' "$@" > '${bin}/argv'; for a; do case $a in --settings=*) cp "\${a#*=}" '${bin}/settings' ;; esac; done`
    script(join(bin, name), `#!/bin/sh\ncat > /dev/null\n${note}\necho '${said}'\n`)
  }
  const env = { PATH: `${bin}:${toolPath()}`, HOME: home }
  const work = (agent: string) => run('loop', ['run', 'x', '--max', '1', '--with', agent], { cwd: at.root, env })
  const argv = () => readFileSync(join(bin, 'argv'), 'utf8')

  it('are brought along for claude, unless its user has them', () => {
    const first = ok(work('claude'))
    expect(first.stderr).not.toContain('nothing guards')
    expect(argv()).toContain('--settings=')
    const { hooks } = JSON.parse(readFileSync(join(bin, 'settings'), 'utf8'))
    expect(hooks.PreToolUse).toMatchObject([{ hooks: [{ type: 'command', command: 'loop hook --host claude' }] }])
    expect(Object.keys(hooks)).toContain('Stop')
    expect(leftovers(at.root)).toEqual([])
    ok(run('loop', ['install', 'claude'], { cwd: at.root, env }))
    expect(ok(work('claude')).stderr).not.toContain('nothing guards')
    expect(argv()).not.toContain('--settings')
  })

  it('that cannot be brought are named, with what puts them there', () => {
    expect(work('codex').stderr).toContain(
      'loop: nothing guards what codex does: loop install codex puts the hooks into its settings\n',
    )
    ok(run('loop', ['install', 'codex'], { cwd: at.root, env }))
    expect(work('codex').stderr).not.toContain('nothing guards')
    expect(work('aider').stderr).toContain('loop: nothing guards what aider does: it has no hooks\n')
    expect(work('true').stderr).not.toContain('nothing guards')
  })
})

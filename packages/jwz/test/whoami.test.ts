import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultEnv, git, run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { identityFileSchema, identitySchema } from '../src/consumer/schemas.ts'
import { failed, ok } from './bus.ts'

/** A pane is what TMUX and TMUX_PANE say. */
const pane = (number: number) => ({ TMUX: '/tmp/tmux/default,1,0', TMUX_PANE: `%${number}` })

function fresh() {
  const cwd = tempRepo()
  const jwz = (args: readonly string[], env: Record<string, string>) => run('jwz', args, { cwd, env })
  const identities = join(cwd, '.jwz/identities')
  return { cwd, jwz, identities }
}

describe('jwz whoami', () => {
  it('says who, and why: --as, JWZ_AGENT, what is saved, the session', () => {
    const { jwz } = fresh()
    const who = (args: string[], env: Record<string, string>) =>
      identitySchema.parse(JSON.parse(jwz(['whoami', '--json', ...args], env).stdout))
    expect(who(['--as', 'ann'], { JWZ_AGENT: 'bob', ...pane(1) })).toMatchObject({ name: 'ann', source: '--as' })
    expect(who([], { JWZ_AGENT: 'bob', ...pane(1) })).toMatchObject({ name: 'bob', source: 'JWZ_AGENT' })
    const session = who([], pane(1))
    expect(session).toMatchObject({ name: expect.stringMatching(/^[a-z]+-[a-z]+-[a-z]+$/), source: 'session' })
    expect(who(['--save', 'carol'], pane(1))).toMatchObject({ name: 'carol', source: 'saved' })
    expect(who([], pane(1))).toMatchObject({ name: 'carol', source: 'saved' })
    expect(who([], pane(2)).name).not.toBe('carol')
    expect(who(['--forget'], pane(1))).toEqual(session)
    expect(who(['--forget'], pane(1))).toEqual(session)
    expect(jwz(['whoami'], { JWZ_AGENT: 'bob' })).toEqual(ok('bob\nJWZ_AGENT says so\n'))
    expect(jwz(['whoami', '-q'], { JWZ_AGENT: 'bob' })).toEqual(ok('bob\n'))
  })

  it('keeps a name in a store that git does not see, for posts from every folder of this pane', () => {
    const { jwz, cwd, identities } = fresh()
    expect(jwz(['whoami', '--save', 'carol'], pane(1)).code).toBe(0)
    const [file = ''] = readdirSync(identities)
    expect(file).toMatch(/^[0-9a-f]{16}\.json$/)
    const kept = identityFileSchema.parse(JSON.parse(readFileSync(join(identities, file), 'utf8')))
    expect(kept).toMatchObject({ name: 'carol', session: 'tmux /tmp/tmux/default,1,0 %1' })
    expect(git(cwd, 'status', '--porcelain')).toBe('')
    expect(JSON.parse(jwz(['post', 't', '-m', 'x', '--json'], pane(1)).stdout)).toMatchObject({ from: 'carol' })
  })

  it('is loud about a damaged file, and --forget mends it', () => {
    const { jwz, identities } = fresh()
    jwz(['whoami', '--save', 'carol'], pane(1))
    const [file = ''] = readdirSync(identities)
    writeFileSync(join(identities, file), '{}')
    expect(jwz(['post', 't', '-m', 'x'], pane(1))).toMatchObject({ code: 7 })
    expect(jwz(['whoami', '--forget'], pane(1)).code).toBe(0)
    expect(jwz(['post', 't', '-m', 'x'], pane(1)).code).toBe(0)
  })

  it('that is killed before any of its file calls leaves the name as it was or as it is to be', () => {
    const { jwz } = fresh()
    jwz(['whoami', '--save', 'before'], pane(1))
    let step = 0
    for (let code: number | null = null; code !== 0; ) {
      step += 1
      const env = { ...pane(1), ...faultEnv({ call: '*', nth: step, action: 'kill', match: '.jwz' }) }
      code = jwz(['whoami', '--save', 'after'], env).code
      expect(jwz(['whoami', '-q'], pane(1)).stdout).toMatch(code === 0 ? /^after\n$/ : /^(before|after)\n$/)
      expect(step).toBeLessThan(100)
    }
    expect(step).toBeGreaterThan(3)
  })

  it('refuses a name that is none, and two ways at once', () => {
    const { jwz } = fresh()
    const noName = 'a name has 1 to 80 characters and no control characters; got ""'
    expect(jwz(['whoami', '--save', ''], pane(1))).toEqual(failed(2, noName))
    const several = 'whoami takes one of --as, --save and --forget, got several'
    expect(jwz(['whoami', '--save', 'a', '--forget'], pane(1))).toEqual(failed(2, several))
  })
})

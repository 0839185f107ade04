import { run, tempRepo } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { judgeTool } from '../src/guard/judge.ts'
import { judgeCommand } from '../src/guard/judge-command.ts'
import { readScene } from '../src/guard/scene.ts'
import { openWorld } from '../src/guard/world.ts'

const root = tempRepo({ 'a.txt': 'one\n' })
const scene = readScene(root, openWorld({ HOME: '/home/ada' }))
const verdictOf = (command: string) => judgeCommand(command, scene).verdict

describe('the guard', () => {
  it.each([
    ['git push --force origin main', 'deny git.force-push'],
    ['git -C . push -uf origin HEAD:main', 'deny git.force-push'],
    ['git push origin +main', 'deny git.force-push'],
    ['git push -f', 'deny git.force-push'],
    ['git push --force-with-lease origin topic', 'allow null'],
    ['git push --force origin topic', 'ask git.force-push-branch'],
    ['git commit -m "rm -rf / and git push --force origin main"', 'allow null'],
    ["sh -c 'sudo rm -rf /'", 'deny rm.root'],
    ["cat <<'EOF' | bash\nrm -rf ~\nEOF", 'deny rm.root'],
    ["cat <<'EOF' > notes.md\nrm -rf ~\nEOF", 'allow null'],
    ['echo cm0gLXJmIC8= | base64 -d | sh', 'deny rm.root'],
    ['rm -rf node_modules dist', 'allow null'],
    ['rm -rf .', 'deny rm.repository'],
    ['cd .. && rm -rf *', 'deny rm.repository'],
    ['rm -rf "$X"', 'ask rm.dynamic'],
    ['d=$(mktemp -d); rm -rf "$d"', 'allow null'],
    ['rm -rf {/,tmp}', 'deny rm.root'],
    ['find . -name "*.pyc" -delete', 'allow null'],
    ['find / -delete', 'deny rm.root'],
    ['psql -c "DROP DATABASE app"', 'deny db.drop'],
    ['git -c alias.x="!rm -rf /" x', 'deny rm.root'],
    ['eval "$(echo rm -rf /)"', 'deny rm.root'],
    ['$(echo rm) -rf /', 'deny rm.root'],
    ['bash <(echo "rm -rf /")', 'deny rm.root'],
    [':(){ :|:& };:', 'deny system.fork-bomb'],
    ['terraform destroy', 'deny infra.destroy'],
    ['xargs rm -rf < list', 'ask rm.dynamic'],
  ])('says to %s: %s', (command, said) => {
    const { decision, rule } = verdictOf(command)
    expect(`${decision} ${rule}`).toBe(said)
  })
})

describe('loop guard test', () => {
  it('says what the guard thinks, and exits 1 where it denies or asks', () => {
    expect(run('loop', ['guard', 'test', 'ls -la'], { cwd: root })).toMatchObject({
      code: 0,
      stdout: 'allow\n',
      stderr: '',
    })
    expect(run('loop', ['guard', 'test', 'rm -rf /', '--quiet'], { cwd: root })).toMatchObject({
      code: 1,
      stdout: 'deny\n',
    })
  })
})

describe('a tool that an agent is about to use', () => {
  const event = {
    event: 'pre-tool',
    host: 'claude',
    session: 's',
    cwd: root,
    agentId: undefined,
    transcript: undefined,
  } as const
  const bash = (command: string) => ({ name: 'Bash', kind: 'shell', command, paths: [] }) as const
  const env = { HOME: '/home/ada' }

  it('is denied with the rule and what to do instead', async () => {
    const answer = await judgeTool({ env, event: { ...event, agentType: undefined, tool: bash('git reset --hard') } })
    expect(answer).toMatchObject({ do: 'deny', reason: expect.stringContaining('git.hard-reset') })
  })

  it('is let go when nothing is wrong with it', async () => {
    expect(await judgeTool({ env, event: { ...event, agentType: undefined, tool: bash('npm test') } })).toEqual({
      do: 'allow',
    })
  })
})

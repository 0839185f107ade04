import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const free = '--dangerously-skip-permissions'
const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })
const start = bash("loop start 'Make done.txt' --check 'test -e done.txt' --max 10")

async function installed(place: AgentPlace): Promise<AgentPlace> {
  expect(await place.run('loop', ['install', 'claude'])).toMatchObject({ code: 0 })
  return place
}

/** What a hook said to the model in the user's or the system's name. */
const said = ({ model }: AgentPlace) => model.requests.flatMap((request) => request.said)

describe('hooks in Claude Code', () => {
  it('send the agent back three times with the right text, and let it go when the check passes', async () => {
    const place = await installed(
      await agentPlace([
        { when: { user: /^begin$/m }, ...start },
        { when: { result: /loop run/ }, text: 'Begun.' },
        { when: { user: /Iteration 2 of 10/ }, text: 'Nothing yet.' },
        { when: { user: /Iteration 3 of 10/ }, text: 'All done.\n\n<loop-done>done</loop-done>' },
        { when: { user: /Iteration 4 of 10/ }, ...bash('touch done.txt') },
        { when: { result: /./ }, text: 'Made it.\n\n<loop-done>done</loop-done>' },
      ]),
    )
    const ended = await place.run('claude', ['-p', 'begin', free])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stdout).toContain('Made it.')
    expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4, 5])
    const feedback = said(place).filter((text) => text.startsWith('Stop hook feedback:'))
    expect(feedback.map((text) => /Iteration \d+ of 10/.exec(text)?.[0])).toEqual([
      'Iteration 2 of 10',
      'Iteration 3 of 10',
      'Iteration 4 of 10',
    ])
    expect(feedback[0]).toContain('## The task\nMake done.txt')
    expect(feedback[0]).toContain('This command then decides whether it is: test -e done.txt')
    const status = JSON.parse((await place.run('loop', ['status', '--json'])).stdout)
    expect(status.state).toBe('finished')
  })

  it('deny a forbidden command with the reason of its rule, and let an innocent one run', async () => {
    const place = await installed(
      await agentPlace([
        bash('git status --short && echo all-$((40 + 2))'),
        { when: { result: /all-42/ }, ...bash('sh -c "git -C . push -f origin HEAD:main"') },
        { when: { result: /force-push/ }, text: 'Understood.' },
      ]),
    )
    const ended = await place.run('claude', ['-p', 'go', free, '--output-format', 'json'])
    expect(JSON.parse(ended.stdout).result).toBe('Understood.')
    expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2])
    expect(place.model.requests[2]?.results.join()).toMatch(/PreToolUse:Bash hook error: .*git\.force-push/s)
    expect(existsSync(join(place.repo, '.git/loop'))).toBe(false)
  })

  it("survive the host's own cap on stops, and keep what matters through a compaction", async () => {
    const place = await agentPlace([
      { when: { user: /^begin$/m }, ...start },
      { when: { result: /loop run/ }, text: 'Begun.' },
      { when: { user: /create a detailed summary/ }, text: '<analysis>a</analysis><summary>A file is made.</summary>' },
      { text: 'Nothing yet.', times: 30 },
    ])
    const settings = { env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '2' } }
    mkdirSync(join(place.home, '.claude'))
    writeFileSync(join(place.home, '.claude/settings.json'), JSON.stringify(settings))
    await installed(place)
    const first = await place.run('claude', ['-p', 'begin', free, '--output-format', 'json'])
    const { session_id: session } = JSON.parse(first.stdout)
    const resume = ['--resume', session, free]
    expect(JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state).not.toBe('finished')

    expect(await place.run('claude', ['-p', '/compact', ...resume])).toMatchObject({ code: 0 })
    const anchors = readFileSync(join(place.repo, '.jwz/topics/loop/anchor.jsonl'), 'utf8')
    expect(anchors).toContain('Make done.txt')
    const before = place.model.requests.length
    await place.run('claude', ['-p', 'where are we', ...resume])
    const [next] = place.model.requests.slice(before)
    const context = textsIn(next?.body['messages']).filter((text) =>
      text.includes('SessionStart hook additional context'),
    )
    expect(context.join()).toContain('Make done.txt')
    expect(said(place).some((text) => text.includes('Iteration 4 of 10'))).toBe(true)
  })
})

/** Every text in a JSON value, wherever it stands. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, itWith, tempFolder } from '@switchyard/testkit'
import { describe, expect } from 'vitest'
import { type AgentPlace, agentPlace } from './agent-place.ts'

const need = 'a sandbox that the kernel allows'
const secret = 'sekret-4711'
const flags = ['--issues', '--sandbox', '--no-network', '--max-iterations', '3', '--json']

type Client = { readonly agent: string; call(command: string): { name: string; input: Record<string, string> } }

const clients: readonly Client[] = [
  { agent: 'claude', call: (command) => ({ name: 'Bash', input: { command } }) },
  { agent: 'codex', call: (cmd) => ({ name: 'exec_command', input: { cmd } }) },
]

/** Each line says `got` with its name where the wall has a hole; the last one shows that the shell came so far. */
function tries({ home, repo }: AgentPlace, outside: string): string {
  return [
    `cat ${home}/.ssh/id_ed25519`,
    `[ -z "$SOME_TOKEN" ] || echo got-environment-$SOME_TOKEN`,
    `touch ${outside}/x && echo got-outside`,
    `echo x > ${repo}/x && echo got-main-tree`,
    `echo x > ${repo}/.git/hooks/post-merge && echo got-hook`,
    `git config core.fsmonitor 'touch ${outside}/x; :'`,
    `setsid sleep 600 > /dev/null 2>&1 & echo tried-$((40 + 2))`,
  ].join('\n')
}

describe.each(clients)('loop run --sandbox --with $agent', ({ agent, call }) => {
  itWith(
    need,
    `lands the issue that the real ${agent} works in it, and the walls stand around its commands`,
    async () => {
      const repair = "sed -i 's/helo/hello/' greeting.txt && git commit -qam 'Repair it' && echo repaired-$((1 + 1))"
      const tried = { calls: [call('')] }
      const script = [
        { when: { user: /Greeting is misspelt/ }, ...tried },
        { when: { result: /tried-42/ }, calls: [call(repair)] },
        { when: { result: /repaired-2/ }, text: 'Repaired.' },
        { text: 'Repaired.', times: 9 },
      ]
      const place = await agentPlace(script, { 'greeting.txt': 'helo world\n' })
      const outside = tempFolder('outside')
      tried.calls[0] = call(tries(place, outside))
      Object.assign(place.env, { SOME_TOKEN: secret, SANDBOX_ENV: 'MODEL_KEY' })
      mkdirSync(join(place.home, '.ssh'))
      writeFileSync(join(place.home, '.ssh/id_ed25519'), secret)
      const id = (await place.run('tissue', ['new', 'Greeting is misspelt', '--quiet'])).stdout.trim()
      const ran = await place.run('loop', ['run', '--with', agent, '--verify', 'grep -q hello greeting.txt', ...flags])
      expect([ran.code, ran.stderr]).toMatchObject([0, expect.anything()])
      expect(JSON.parse(ran.stdout)).toMatchObject([{ issue: id, outcome: 'landed', iterations: 1 }])
      const results = place.model.requests.flatMap((request) => request.results).join('\n')
      expect(results).toContain('tried-42')
      expect(results).not.toMatch(new RegExp(`got-|${secret}`))
      expect(
        [join(outside, 'x'), join(place.repo, 'x'), join(place.repo, '.git/hooks/post-merge')].filter(existsSync),
      ).toEqual([])
      expect(git(place.repo, 'log', '--format=%s %(trailers:key=Issue,valueonly,separator=%x2C)')).toContain(
        `Repair it ${id}`,
      )
      expect(readFileSync(join(place.repo, 'greeting.txt'), 'utf8')).toBe('hello world\n')
      git(place.repo, 'status')
      expect(existsSync(join(outside, 'x'))).toBe(false)
    },
  )
})

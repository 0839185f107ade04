import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentPlace } from './agent-place.ts'

const shell = (command: string) => ({ calls: [{ name: 'run_shell_command', input: { command, description: 'x' } }] })

it('Gemini CLI is held by its hooks: a forbidden command denied, the turn sent back until the check passes', async () => {
  const place = await agentPlace([
    { when: { user: /begin/ }, ...shell('git push --force origin main') },
    { when: { result: /force-push/ }, ...shell("loop start 'Make done.txt' --check 'test -e done.txt' --max 10") },
    // Gemini says to no command which session it runs in; the hook behind the tool gives the loop to its session.
    { when: { result: /loop run/ }, text: 'Begun.' },
    { when: { user: /Iteration 2 of 10/ }, text: 'Nothing yet.' },
    { when: { user: /Iteration 3 of 10/ }, ...shell('touch done.txt') },
    { when: { result: /./ }, text: 'Made it.\n\n<loop-done>done</loop-done>' },
  ])
  mkdirSync(join(place.home, '.gemini'))
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
  }
  writeFileSync(join(place.home, '.gemini/settings.json'), JSON.stringify(settings))
  await place.run('loop', ['install', 'gemini'])
  const ended = await place.run('gemini', ['-p', 'begin', '-m', 'gemini-2.5-flash', '--yolo'])
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('Made it.')
  expect(place.model.requests.map(({ turn }) => turn)).toEqual([0, 1, 2, 3, 4, 5])
  expect(place.model.requests[1]?.results.join()).toContain('Tool execution blocked: loop guard (git.force-push)')
  expect(JSON.parse((await place.run('loop', ['status', '--json'])).stdout).state).toBe('finished')
})

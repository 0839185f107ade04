import { expect, it } from 'vitest'
import { statSchema } from '../src/stats/stat-schema.ts'
import { sessions } from './sessions.ts'

it('adds up tokens, cost, turns and time of sessions, by each word', () => {
  const at = sessions()
  expect(at.scope(['stats'])).toMatchObject({ code: 0, stdout: '' })
  at.agent('case $SCOPE_SESSION_ID in 0) scope spawn Below --wait >/dev/null ;; 1) exit 3 ;; esac')
  at.wait(at.spawn('Look', '--type', 'explore'))
  at.wait(at.spawn('Break', '--model', 'large'))
  at.wait(at.spawn('Repeat', '--checker', 'false', '--max-iterations', '2'))
  const by = (word: string, ...more: readonly string[]) =>
    statSchema.array().parse(JSON.parse(at.scope(['stats', '--by', word, '--json', ...more]).stdout))
  const four = { turns: 5, input_tokens: 160, output_tokens: 16, cached_tokens: 40, cost_usd: 1 }
  expect(by('agent')).toMatchObject([{ v: 1, by: 'agent', key: 'claude', sessions: 6, failed: 2, ...four }])
  expect(by('tree')).toMatchObject([
    { key: '0', sessions: 2, turns: 2, cost_usd: 0.5, failed: 0 },
    { key: '2', sessions: 3, turns: 2, cost_usd: 0.5, failed: 1 },
    { key: '1', sessions: 1, turns: 1, cost_usd: null, failed: 1 },
  ])
  expect(by('loop')).toMatchObject([{ key: '2', sessions: 3, turns: 2 }])
  expect(by('session').map(({ key }) => key)).toEqual(['0', '0.0', '2-0-do', '2-1-do', '1', '2'])
  expect(by('model').map(({ key }) => key)).toEqual(['claude, its own', 'large'])
  expect(by('type')).toMatchObject([
    { key: 'implement', sessions: 5 },
    { key: 'explore', sessions: 1 },
  ])
  expect(by('state').map(({ key, sessions }) => `${sessions} ${key}`)).toEqual(['4 done', '2 failed'])
  expect(by('day').reduce((sum, { sessions }) => sum + sessions, 0)).toBe(6)
  expect(by('agent').every(({ time_ms }) => time_ms > 0)).toBe(true)
  expect(by('agent', '--since', '1ms')).toEqual([])
  expect(at.scope(['stats', '--by', 'tree']).stdout).toMatch(/^0\t2\t2\t0\t\d+\t80\t8\t0.5\n2\t/)
  expect(at.scope(['stats', '--by', 'colour'])).toMatchObject({ code: 2, stdout: '' })
})

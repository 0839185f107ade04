import { describe, expect, it } from 'vitest'
import { hooked } from './hooked.ts'

describe('an activity', () => {
  it.each([
    ['Read', { file_path: '/a/b/auth.ts' }, 'reading auth.ts'],
    ['Edit', { file_path: '/a/b/auth.ts' }, 'editing auth.ts'],
    ['Write', {}, 'editing files'],
    ['Bash', { command: `npm test -- ${'x'.repeat(60)}` }, `running: npm test -- ${'x'.repeat(27)}…`],
    ['Grep', { pattern: 'one|two' }, 'searching: one|two'],
    ['Glob', { pattern: '**/*.ts' }, 'finding: **/*.ts'],
    ['Task', { description: 'look around', prompt: 'x' }, 'spawning subtask'],
    ['TodoWrite', { todos: [] }, 'TodoWrite'],
    ['mcp__tracker__list', {}, 'mcp__tracker__list'],
    ['Bash', { command: 'echo \u001b[31mred\r\n\u0007\u202etwo' }, 'running: echo [31mred two'],
    ['Bash', { command: 'curl -u ada:correct-horse example.org' }, 'running: curl -u ada:[secret] example.org'],
    ['Bash', { command: `deploy ${'hunter22-hunter22'}` }, 'running: deploy [secret]'],
    ['Read', { file_path: 7 }, 'reading files'],
    ['Read', 'no object', 'reading files'],
  ])('is one short line without secrets: %s %j', async (tool_name, tool_input, activity) => {
    const session = hooked()
    await session.begin()
    session.hook('claude-pre-tool', { tool_name, tool_input }, { DEPLOY_TOKEN: 'hunter22-hunter22' })
    expect(session.text('activity')).toBe(`${activity}\n`)
  })
})

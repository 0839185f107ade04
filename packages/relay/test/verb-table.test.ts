import { verbFaults } from '@switchyard/cli-kit/verb-faults'
import { run, tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { mirror } from '../src/commands/mirror.ts'

describe('mirror', () => {
  it('does not contradict itself', () => {
    expect(verbFaults({ mirror })).toEqual([])
  })

  it('is what the tool does without a verb, and shows its page when asked', () => {
    const cwd = tempFolder()
    const page = run('jwz-relay', ['--help'], { cwd })
    expect(page).toMatchObject({ code: 0, stderr: '' })
    expect(page.stdout).toContain('USAGE\n  jwz-relay [flags]')
    expect(run('jwz-relay', ['help'], { cwd })).toEqual(page)
    expect(run('jwz-relay', ['version'], { cwd }).stdout).toMatch(/^jwz-relay \d/)
    const schema: unknown = JSON.parse(run('jwz-relay', ['schema', 'event'], { cwd }).stdout)
    expect(z.object({ oneOf: z.array(z.unknown()) }).parse(schema).oneOf.length).toBeGreaterThan(5)
  })

  it.each<[args: string[], stderr: string]>([
    [[], 'expected --nats URL, got nothing; for example --nats nats://localhost:4222'],
    [['--json'], 'expected --nats URL, got nothing; for example --nats nats://localhost:4222'],
    [
      ['--nats', 'http://me:secret@host'],
      'expected a URL such as nats://host:4222 or tls://host:4222, got something else',
    ],
    [['--nats', 'nats://h', '--stream', 'a.b'], 'expected a stream of letters, digits, - and _, got "a.b"'],
    [['issue:a'], 'expected no argument, got "issue:a"; quote a value that has spaces'],
    [['--topic', 'x'], 'expected a flag that exists, got "--topic"; did you mean --topics?'],
    [['--nats', 'nats://h', '--creds', 'none'], 'the credentials none were to be read, the disk answered ENOENT'],
  ])('refuses %j', (args, stderr) => {
    const cwd = tempFolder()
    const finished = run('jwz-relay', args, { cwd })
    expect(finished.stderr.split('\n')[0]).toBe(`jwz-relay: ${stderr}`)
    expect(finished).toMatchObject({ code: args.includes('none') ? 1 : 2, stdout: '' })
  })
})

import { appendFileSync } from 'node:fs'
import { git } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { failed, freshBus, ok } from './bus.ts'

describe('jwz show', () => {
  it('prints each field that is there, then the body', () => {
    const { cwd, jwz, post, records } = freshBus()
    const question = post('t', 'q')
    const flags = [
      '--role',
      'dev',
      '--model',
      'm',
      '--to',
      'a',
      '--to',
      'b',
      '-t',
      'x',
      '--data',
      '[1]',
      '--reply-to',
      question,
    ]
    const id = post('t', 'one\ntwo', ...flags)
    const time = new Date(Number(records('t')[1]?.['at'])).toISOString()
    const fields = `id: ${id}\ntopic: t\nfrom: ann\nat: ${time}\nrole: dev\nmodel: m\nto: a, b\ntags: x\nreply to: ${question}\n`
    const where = `branch: main\ncommit: ${git(cwd, 'rev-parse', 'HEAD')}\ndata: [1]\n`
    expect(jwz(['show', id])).toEqual(ok(`${fields}${where}\none\ntwo\n`))
    expect(JSON.parse(jwz(['show', id.slice(-6), '--json']).stdout)).toEqual(records('t')[1])
    expect(jwz(['show', id, '-q'])).toEqual(ok(`${id}\n`))
  })

  it('finds ids of other programs, a whole one also when others begin with it', () => {
    const { jwz, post, file } = freshBus()
    post('t', 'x')
    for (const id of ['run', 'run-1', 'run-10'])
      appendFileSync(file('t'), `${JSON.stringify({ v: 1, id, at: 1, topic: 't', from: 'x', body: `I am ${id}` })}\n`)
    expect(JSON.parse(jwz(['show', 'run-1', '--json']).stdout).body).toBe('I am run-1')
    expect(JSON.parse(jwz(['show', 'run', '--json']).stdout).body).toBe('I am run')
    expect(jwz(['show', 'run-'])).toEqual(failed(4, 'run- names 2 messages: run-10 run-1; give more of the id'))
    expect(jwz(['show', 'ru'])).toMatchObject({ code: 2 })
    expect(jwz(['show', 'nope'])).toEqual(failed(3, 'no message nope; jwz search or jwz read shows ids'))
  })

  it('takes a line whose id would be more than one line for no message', () => {
    const { jwz, post, file } = freshBus()
    const id = post('t', 'x')
    appendFileSync(
      file('t'),
      `${JSON.stringify({ v: 1, id: 'two\nlines', at: 1, topic: 't', from: 'x', body: 'y' })}\n`,
    )
    expect(jwz(['read', 't', '-q'])).toEqual(ok(`${id}\n`))
    expect(jwz(['read', 't']).stderr).toBe('skipped 1 damaged or unknown line; see jwz doctor\n')
  })

  it('names at most five candidates', () => {
    const { jwz } = freshBus()
    const [id] = jwz(['post', 't', '--stdin', '-q'], { input: '1\n2\n3\n4\n5\n6\n7\n' }).stdout.split('\n')
    const { code, stderr } = jwz(['show', id?.slice(0, 4) ?? ''])
    expect(code).toBe(4)
    expect(stderr).toMatch(/names more than 5 messages: ([0-9A-Z]{26} ?){5};/)
  })
})

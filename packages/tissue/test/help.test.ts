import { guideFaults } from '@switchyard/cli-kit/verb-guide'
import { tempFolder } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { guide } from '../src/verb-guide.ts'
import { verbs } from '../src/verbs.ts'
import { tissue } from './tissue.ts'

describe('tissue help', () => {
  it('has every verb in one group', () => {
    expect(guideFaults(guide, Object.keys(verbs))).toEqual([])
  })

  it('fits a screen of 50 lines and 80 columns', () => {
    const { code, stdout } = tissue(tempFolder('help'), ['help'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.length).toBeLessThan(50)
    expect(stdout).toContain('\nWORK\n  ready ')
  })

  it('lists what people type; batch, which is for programs, has its own page', () => {
    const root = tempFolder('help')
    const lists = [tissue(root, ['help']).stdout, tissue(root, []).stderr]
    expect(lists.filter((text) => text.includes('batch'))).toEqual([])
    expect(tissue(root, ['help', 'batch'])).toMatchObject({ code: 0, stdout: expect.stringContaining('all or none') })
  })

  it('names the verbs by what they are for when there is none', () => {
    const { code, stdout, stderr } = tissue(tempFolder('help'), [])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(stderr).toMatch(/^usage: tissue <verb> .*\n {2}work {7}ready claim /)
  })

  it.each([
    [['create', 'Fix it'], 'expected a verb, got "create"; did you mean tissue new?'],
    [['start', 'k3vd'], 'expected a verb, got "start"; did you mean tissue claim?'],
    [['relaese', 'k3vd'], 'expected a verb, got "relaese"; did you mean tissue release?'],
    [
      ['dep', 'ad', 'k3vd'],
      'expected dep add or dep rm or dep list or dep cycles, got "dep ad"; did you mean tissue dep add?',
    ],
    [['tag', 'k3vd', 'x'], 'expected tag add or tag rm, got "tag k3vd"; see tissue tag --help'],
    [['check'], 'expected a verb, got "check"; did you mean tissue doctor --log?'],
    [['stale'], 'expected a verb, got "stale"; did you mean tissue list --stale?'],
    [['conflicts'], 'expected a verb, got "conflicts"; did you mean tissue list --conflicts?'],
    [['list', '--older-than', '2d'], 'expected --older-than only with --stale'],
    [['list', '--conflicts', '--stale'], 'expected --conflicts without --stale and --fields'],
    [['list', '--conflicts', '--fields', 'id'], 'expected --conflicts without --stale and --fields'],
    [['tag', 'list'], 'expected a verb, got "tag list"; did you mean tissue stats --by tag?'],
    [['claim'], 'expected an id or --next, got neither; tissue claim --next takes what comes first'],
    [['status', 'k3vd', 'in-progress'], 'expected a status, got "in-progress"; did you mean in_progress?'],
    [
      ['status', 'open', 'k3vd'],
      'expected <id> and then <status>, got them the other way round; tissue status k3vd open',
    ],
    [
      ['status', 'k3vd', 'done'],
      'expected a status, got "done"; one of open, in_progress, paused, deferred, closed, duplicate',
    ],
    [['dep', 'add', 'k3vd', 'block', 'x9qa'], 'expected a kind of link, got "block"; did you mean blocks?'],
    [['comment', 'k3vd', 'hello'], 'expected - for stdin, got "hello"; put the text behind -m'],
    [
      ['new', 'Fix', 'login'],
      'expected - for stdin, got "login"; quote a title of several words; a body goes behind -b',
    ],
  ])('says what to do about %j', (args, message) => {
    const { code, stdout, stderr } = tissue(tempFolder('help'), args)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `tissue: ${message}\n` })
  })
})

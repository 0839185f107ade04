import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPathKey, parseKey } from '../src/lease/key.ts'
import { keyCovers, keysOverlap } from '../src/lease/overlap.ts'

const place = { cwd: '/r/sub/deep', top: '/r' }

describe('a key', () => {
  it.each([
    ['deploy', 'deploy'],
    ['port:8080', 'port:8080'],
    ['branch:feature/x', 'branch:feature/x'],
    ['https://a/*', 'https://a/*'],
    ['README.md', 'README.md'],
  ])('without slash or wildcard, or with a word and a colon before them, is a name: %s', (text, key) => {
    expect([isPathKey(text), parseKey(text, place)]).toEqual([false, key])
  })

  it.each([
    ['*.ts', 'sub/deep/*.ts'],
    ['./a', 'sub/deep/a'],
    ['a/', 'sub/deep/a'],
    ['../**/**/b?', 'sub/**/b?'],
    ['../../README.md', './README.md'],
    ['../../a:b', './a:b'],
    ['../..', '**'],
    ['.', 'sub/deep'],
    ['/r//src/./x/../**', 'src/**'],
    ['/r', '**'],
  ])('with one is a path pattern, stored relative to the top of the work tree: %s', (text, key) => {
    expect([isPathKey(text), parseKey(text, place)]).toEqual([true, key])
    expect(parseKey(key, { cwd: '/r', top: '/r' })).toBe(key)
  })

  it.each(['', '  ', 'a\0b', 'a\nb', 'x'.repeat(10_000)])('is refused when it is no key: %j', (text) => {
    expect(() => parseKey(text, place)).toThrow(/a key has 1 to 1000 characters/)
  })

  it.each(['../../../x', '../../..', '/etc/passwd', '/', '/*/sub/x', '/rest/x'])(
    'is refused outside of the work tree: %s',
    (text) => expect(() => parseKey(text, place)).toThrow(/inside the work tree \/r; got/),
  )

  it('has no way back up from a wildcard', () => {
    expect(() => parseKey('a/**/../b', place)).toThrow(/no ".." behind a wildcard/)
  })
})

/** Every path of up to four segments of one or two letters. */
const segments = ['a', 'b', 'aa', 'ab', 'ba', 'bb']
const paths = [1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: segments.length ** length }, (_, at) =>
    Array.from({ length }, (_, place) => segments[Math.floor(at / segments.length ** place) % segments.length]).join(
      '/',
    ),
  ),
)

/** What a key means, said in another way: as a regular expression. */
function expressionOf(key: string): RegExp {
  const parts = key.split('/')
  const open = /[*?]/.test(parts.at(-1) ?? '') ? parts : [...parts, '**']
  const source = open.map((part) =>
    part === '**' ? '(?:[^/]+/)*' : `${part.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}/`,
  )
  return new RegExp(`^${source.join('')}$`)
}

const piece = fc.constantFrom('a', 'b', '*', '?')
const segment = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join('').replace('**', '*')),
  fc.constant('**'),
)
const pattern = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'))
  .filter(isPathKey)

describe('two path patterns', () => {
  it('overlap exactly when there is a path that both mean, whichever comes first', () => {
    fc.assert(
      fc.property(pattern, pattern, (left, right) => {
        // What two patterns share shows in a path of as many segments as both have, at most.
        const isShort = `${left}/${right}`.split('/').filter((part) => part !== '**').length <= 4
        fc.pre(isShort)
        const [one, other] = [expressionOf(left), expressionOf(right)]
        const isShared = paths.some((path) => one.test(`${path}/`) && other.test(`${path}/`))
        expect(keysOverlap(left, right)).toBe(isShared)
        expect(keysOverlap(right, left)).toBe(isShared)
      }),
      { numRuns: 2000 },
    )
  })

  it('cover exactly the paths that they mean', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom(...paths), (key, path) => {
        expect(keyCovers(key, path)).toBe(expressionOf(key).test(`${path}/`))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['src/**', 'src/a/b.ts', true],
    ['src', 'src/a', false],
    ['./src', 'src/a', true],
    ['src/*', 'src/a/b', false],
    ['src/*/**', 'src/a/b', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['docs/*.md', '**/jwz.*', true],
    ['src/**', 'srcs/a', false],
    ['**', 'a', false],
    ['./README.md', 'README.md', false],
    ['deploy', 'deploy', true],
    ['[a]/x', 'a/x', false],
  ])('%s and %s: %s', (left, right, isShared) => {
    expect([keysOverlap(left, right), keysOverlap(right, left)]).toEqual([isShared, isShared])
  })

  it('take a literal path that has wildcards in its name as it is', () => {
    expect([keyCovers('src/?.ts', 'src/*.ts'), keyCovers('src/a.ts', 'src/*.ts')]).toEqual([true, false])
    expect([keyCovers('deploy', 'deploy'), keyCovers('./deploy', 'deploy')]).toEqual([false, true])
  })

  it('are compared in a moment, however many wildcards they have', () => {
    const many = `${'*a'.repeat(400)}b`
    expect(keysOverlap(`x/${many}`, `x/${'a*'.repeat(400)}c`)).toBe(false)
  })
})

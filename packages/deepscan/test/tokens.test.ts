import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { estimateTokens } from '../src/tokens/estimate-tokens.ts'
import { countTokens } from '../src/tokens/exact.ts'

const root = new URL('../../../', import.meta.url)

function textsIn(folder: string, ending: string): string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true }).map(String)
  const wanted = names.filter((name) => name.endsWith(ending)).sort()
  return wanted
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'))
    .filter((text) => text.length > 400)
}

/** How far the estimate of each text is from its count, as a share, smallest first. */
function errorsOf(texts: readonly string[]): number[] {
  const errors = texts.map((text) => Math.abs(estimateTokens(text) / countTokens(text) - 1))
  return errors.sort((a, b) => a - b)
}

const kinds = [
  ['TypeScript', 'packages/deepscan/src', '.ts'],
  ['prose', 'docs', '.md'],
  ['data', 'packages', 'package.json'],
] as const

test.each(kinds)(
  'of %s, half the files are within 6 %% of the exact count, nine of ten within 12 %%',
  (...[, folder, ending]) => {
    const errors = errorsOf(textsIn(folder, ending).slice(0, 40))
    expect(errors.length).toBeGreaterThan(10)
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.06)
    expect(errors[Math.floor(errors.length * 0.9)]).toBeLessThan(0.12)
  },
)

test('prose of other scripts is within a fifth', () => {
  const texts = [
    '数据库连接池的大小由配置文件决定。如果队列已满，服务器将拒绝新的请求，并返回错误代码。',
    'データベース接続プールのサイズは設定ファイルで決まります。キューが満杯の場合、サーバーは新しい要求を拒否します。',
    'Сервер отвечает медленно, если очередь полна. Размер пула соединений задаётся в файле настроек.',
    'Der Größe nach müssen übrige Schlüssel später geprüft werden, fällig für jede Änderung.',
  ]
  expect(errorsOf(texts).at(-1)).toBeLessThan(0.2)
})

test('a text that would stop a tokenizer, or take it minutes, is counted', () => {
  expect(countTokens('a <|endoftext|> b')).toBeGreaterThan(5)
  expect(countTokens('='.repeat(200_000))).toBeGreaterThan(1000)
  expect(estimateTokens('')).toBe(0)
  expect(countTokens('')).toBe(0)
})

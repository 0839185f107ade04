import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const words = [
  'alpha',
  'Beta',
  'gamma_1',
  'naïve',
  'Straße',
  'delta-2',
  'ΩMEGA',
  'x',
  '日本',
  'KELVIN K',
  'ſharp',
  'foo.bar(',
  '',
  '\t\ttab',
]

/** Lines put together from the words, the same each time. */
function lines(count: number, seed: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const picked = Array.from({ length: (at * 7 + seed) % 6 }, (_, n) => words[(at * 5 + n * 3 + seed) % words.length])
    return picked.join(' ')
  })
}

const text = (seed: number, end = '\n') => lines(60, seed).join(end) + end

/** Files of all kinds that a search may meet. */
const searched: Readonly<Record<string, string | Buffer>> = {
  'a.ts': text(1),
  'b/c.py': text(2),
  'b/crlf.txt': text(3, '\r\n'),
  'b/no-end.md': `${text(4)}alpha at the end`,
  'b/mark.txt': `\uFEFF${text(5)}`,
  'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text(6), 'utf16le')]),
  'wide-big.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text(7), 'utf16le').swap16()]),
  'empty.txt': '',
  'blank.txt': '\n\n\n',
  'long.js': `${'x = 1; '.repeat(40_000)}alpha${'; y = 2'.repeat(40_000)}\nalpha\n`,
  'binary.bin': Buffer.from([0, 1, 2, 0x61, 0x6c, 0x70, 0x68, 0x61, 10]),
  '.hidden': 'alpha hidden\n',
  '.gitignore': 'ignored/\n*.log\n',
  'ignored/in.txt': 'alpha ignored\n',
  'out.log': 'alpha log\n',
  'sub/.gitignore': '!kept.log\n',
  'sub/kept.log': 'alpha kept\n',
  'sub/deep/er/file.go': text(8),
}

export function makeTree(root: string): void {
  for (const [path, content] of Object.entries(searched)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** What is looked for; words that ripgrep takes as deepscan does. */
export const searches: readonly (readonly string[])[] = [
  ['alpha'],
  ['-i', 'ALPHA'],
  ['-i', 'kelvin k'],
  ['-i', 'sharp'],
  ['-i', 'straße|ωmega'],
  ['-w', 'gamma'],
  ['-w', 'gamma_1|x'],
  ['-w', 'bar|foo'],
  ['-w', 'a|alpha|alp'],
  ['-F', 'foo.bar('],
  ['-F', '-i', 'FOO.BAR('],
  ['-F', '-w', 'x'],
  ['foo.bar\\('],
  ['^alpha'],
  ['alpha$'],
  ['^$'],
  ['^\\s+tab'],
  ['\\w+_\\d'],
  ['\\d-|-\\d'],
  ['[[:alpha:]]{6,}'],
  ['\\p{Greek}'],
  ['(alpha|Beta) x'],
  ['[^ -~]'],
  ['na.ve'],
  ['\\S\\s{1,3}x$'],
  ['a{2,}|l{1}p'],
  ['(?i)BETA'],
  ['x = 1; alpha'],
  ['\\Bx|x\\B'],
  ['日本|ſ'],
  ['alpha.*Beta|Beta.*alpha'],
  ['(?P<name>delta)-[0-9]'],
  ['-g', '*.py', 'alpha'],
  ['-g', '!*.ts', '-g', '!b', 'alpha'],
  ['-t', 'py', 'alpha'],
  ['nothing of the kind'],
]

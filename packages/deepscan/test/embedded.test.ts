import { expect, test } from 'vitest'
import { embeddedScripts } from '../src/syntax/embedded.ts'
import { languageOf } from '../src/syntax/language.ts'

/** Scripts as language and text; each unit that the text shares with the file stands where the script says. */
function scripts(path: string, text: string, changed = '') {
  return embeddedScripts(path, languageOf(path), text).map((script) => {
    for (const [at, unit] of [...script.text.split('').entries()]) {
      const found = text[script.offsetInFile(at)]
      if (found !== unit && found !== '\\' && !changed.includes(unit))
        throw new Error(`${path}: ${unit} at ${at} is ${found}`)
    }
    return [script.language, script.text]
  })
}

test('scripts of pages and components are found by their language, not in comments and not data', () => {
  const page =
    '<!-- <script>no()</script> --><SCRIPT>a()</SCRIPT>\r\n<script type="module" data-x="a>b">b("é😀")</script><script type="application/ld+json">{}</script><script src="x.js"></script>'
  expect(scripts('a.html', page)).toEqual([
    ['javascript', 'a()'],
    ['javascript', 'b("é😀")'],
  ])
  const vue =
    '<template><p>{{ a }}</p></template>\n<script setup lang="ts">\nconst a: number = 1\n</script>\n<style>p {}</style>\n'
  expect(scripts('a.vue', vue)).toEqual([['typescript', '\nconst a: number = 1\n']])
  expect(scripts('a.svelte', "<script lang='js'>\nlet a\n</script>")).toEqual([['javascript', '\nlet a\n']])
  expect(scripts('a.astro', '---\nconst a = 1\n---\n<p>{a}</p><script>b()</script>')).toEqual([
    ['typescript', 'const a = 1\n'],
    ['javascript', 'b()'],
  ])
  expect(scripts('a.html', '<script>unclosed')).toEqual([])
})

test('code cells of a notebook are found through all escapes, with calls of the notebook itself as comments', () => {
  const cell = (source: unknown, type = 'code') => ({ cell_type: type, outputs: [{ source: ['no'] }], source })
  const notebook = JSON.stringify({
    metadata: { language_info: { name: 'python' } },
    cells: [
      cell(['# Title'], 'markdown'),
      cell(['%matplotlib inline\n', 'print("a\\n\té😀")\n', '!pip install x']),
      cell('%%bash\nrm -rf "$x"\n'),
      cell('%%latex\nx'),
      cell([]),
    ],
  })
    .replace('é', '\\u00e9')
    .replace('😀', '\\ud83d\\ude00')
  expect(scripts('a.ipynb', notebook, '#\u00e9\ude00')).toEqual([
    ['python', '#matplotlib inline\nprint("a\\n\té😀")\n#pip install x'],
    ['bash', '#%bash\nrm -rf "$x"\n'],
  ])
  for (const text of ['', '{"cells": 1}', '[]', '{"cells": [{"cell_type": "code"}]}'])
    expect(scripts('a.ipynb', text)).toEqual([])
})

test('steps of a workflow are Bash without their indentation, unless they name another shell', () => {
  const workflow = [
    'on: push',
    'jobs:',
    '  a:',
    '    steps:',
    '      - name: one',
    '        run: |',
    `          echo "$\{{ github.event.title }}"`,
    '',
    '          if a; then',
    '            b',
    '          fi',
    '      - run: npm ci # all',
    '      - run: \'echo "hi"\'',
    '      - shell: pwsh',
    '        run: Write-Host',
    '      - run: print(1)',
    '        shell: python',
    '      - uses: x/y',
    '        with: { run: no }',
    '',
  ].join('\n')
  expect(scripts('.github/workflows/ci.yml', workflow, '_')).toEqual([
    ['bash', `echo "$\{${'_'.repeat(22)}}"\n\nif a; then\n  b\nfi\n`],
    ['bash', 'npm ci # all'],
    ['bash', 'echo "hi"'],
  ])
  expect(scripts('config/ci.yml', workflow)).toEqual([])
})

test('RUN of a Dockerfile is Bash, with its continued lines, and heredocs', () => {
  const file =
    'FROM x\nRUN --mount=type=cache apt-get update \\\n  # why\n  && apt-get install y\nRUN ["a", "b"]\nCMD x\nRUN <<EOF\na\nb\nEOF\nONBUILD RUN c\n'
  expect(scripts('Dockerfile', file, ' ')).toEqual([
    ['bash', `apt-get update \\\n${' '.repeat(8)}  && apt-get install y\n`],
    ['bash', 'a\nb\n'],
    ['bash', 'c\n'],
  ])
})

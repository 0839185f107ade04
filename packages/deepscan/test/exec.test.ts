import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, start, tempFolder, tempRepo } from '@switchyard/testkit'
import { expect, test } from 'vitest'
import { outcomeSchema } from '../src/exec/outcome.ts'
import { helperNames } from '../src/exec/prelude.ts'
import { chunkSchema } from '../src/store/chunk-schema.ts'

const files = {
  'src/a.ts': 'export const one = 1\nexport const two = 2\n',
  'src/b.py': 'print("é")\n',
  'readme.md': '# Read\n',
  '.gitignore': 'out/\n',
  'out/secret.txt': 'hidden\n',
}

function place() {
  const cwd = tempRepo(files)
  const env = { DEEPSCAN_HOME: join(tempFolder('cache'), 'deepscan') }
  const exec = (code: string, ...more: string[]) => run('deepscan', ['exec', ...more, '-c', code], { cwd, env })
  const json = (code: string, ...more: string[]) => {
    const { stdout, stderr } = exec(code, '--json', ...(more.length > 0 ? more : ['-t', '60s']))
    if (stdout === '') throw new Error(`${code}: ${stderr}`)
    return outcomeSchema.parse(JSON.parse(stdout))
  }
  const init = () => run('deepscan', ['init', '.', '--quiet'], { cwd, env }).stdout.trim()
  return { cwd, env, exec, json, init }
}

test('code reads the files of the project, and the value of its last expression is printed', () => {
  const { cwd, exec, json, env } = place()
  const code = 'print("files", list_files().length); grep("one|two").map((m) => [m.path, m.line, m.column].join(":"))'
  expect(exec(code)).toMatchObject({ code: 0, stderr: '', stdout: 'files 4\n["src/a.ts:1:14","src/a.ts:2:14"]\n' })
  expect(
    json('[peek(0, 10), peek(-7), peek_head(3), peek_tail(3), context_length() > 100, is_lazy_mode()]').value,
  ).toBe(
    '["=== .gitig","int(\\"é\\")\\n\\n","===",")\\n\\n",true,false]'.replace('int(\\"é\\")\\n\\n', '(\\"é\\")\\n\\n'),
  )
  expect(json('chunk_indices(40, 10).slice(0, 2)')).toMatchObject({ kind: 'done', value: '[[0,40],[30,70]]' })
  expect(json('load_file("src/b.py")').value).toBe('print("é")\n')
  expect(json('preview_dir("src")').value).toBe('src/ (2 files, 54 B)\n├── a.ts (42 B)\n└── b.py (12 B)')
  expect(json('get_tree_view()').value).toContain('readme.md (7 B)')
  expect(json('grep_file("Read", "readme.md", 1, 2)').value).toBe(
    '[{"path":"readme.md","line":1,"column":3,"match":"Read","snippet":"# Read"}]',
  )
  writeFileSync(join(cwd, 'count.js'), 'const all = list_files()\nall.length')
  expect(run('deepscan', ['exec', '-F', 'count.js'], { cwd, env }).stdout).toBe('5\n')
  expect(run('deepscan', ['exec', '-'], { cwd, env, input: 'undefined' })).toMatchObject({ code: 0, stdout: '' })
  expect(exec('const x = 1;\nx.y.z')).toMatchObject({ code: 1, stdout: '' })
  expect(exec('const x = 1;\nx.y.z').stderr).toMatch(/^deepscan: the code threw TypeError: .*, line 2\n$/)
  expect(exec('get_status()').stderr).toContain('this wants a scan; deepscan init makes one')
  expect(run('deepscan', ['!', '2 * 21'], { cwd, env })).toMatchObject({ code: 0, stdout: '42\n' })
  expect(run('deepscan', ['exec'], { cwd, env })).toMatchObject({ code: 2, stdout: '' })
  expect(exec(`"${'x'.repeat(100_001)}"`)).toMatchObject({ code: 2, stdout: '' })
})

test('W19: slices, negatives, and all of the language work, and any word may be searched', () => {
  const { json } = place()
  const code = `
    const kinds = { peek: -1, ok: true && !false || null }
    const { peek: first, ...rest } = kinds
    try { throw new Error('os.system subprocess __class__') } catch (error) { rest.message = error.message.slice(-9) }
    class Box { #held = [3, 1, 2].toSorted?.() ?? [1, 2, 3]; get held() { return this.#held } }
    while (true) break
    ;[first, rest, new Box().held, 7 % 4 ** 2, [...'ab'].at(-1), grep('__class__|subprocess')]`
  expect(json(code).value).toBe('[-1,{"ok":true,"message":"__class__"},[1,2,3],7,"b",[]]')
})

/** Each of these gives undefined, or throws, in an engine that has nothing but the language and the helpers. */
const escapes = [
  'process',
  'require',
  'module',
  'std',
  'os',
  'fetch',
  'Deno',
  'WebAssembly',
  '__call',
  'require("fs")',
  'process.binding("fs")',
  'globalThis.process',
  'this.process',
  'eval("process")',
  '(0, eval)("require")',
  'new Function("return process")()',
  'new Function("return this")().process',
  'globalThis.constructor.constructor("return process")()',
  '[].constructor.constructor("return process")()',
  '(() => {}).constructor("return process")()',
  '(async () => {}).constructor("return process")',
  'peek.constructor("return process")()',
  'Reflect.construct(peek.constructor, ["return process"])()',
  'grep.caller',
  'Object.getPrototypeOf(peek).constructor("return require")()',
  'Error.prepareStackTrace',
  'Error.captureStackTrace',
  '\\u0070rocess',
  '"pro" + "cess" in globalThis ? 1 : undefined',
  'globalThis["pro" + "cess"]',
  `globalThis[\`\${"req"}\${"uire"}\`]`,
  'setTimeout',
  'setInterval',
  'XMLHttpRequest',
  'load_file("../outside.txt")',
  'load_file("/etc/passwd")',
  'load_file("src/../../outside.txt")',
  'load_file("link.txt")',
  'load_file("out/secret.txt")',
  'load_file(".git/config")',
  'load_file("src/a.ts\\0.txt")',
  'load_file("..\\\\outside.txt")',
  'load_file("%2e%2e/outside.txt")',
  'load_file("\\u2025/outside.txt")',
  'load_file("x".repeat(100000))',
  'load_file({ toString: () => "/etc/passwd" })',
  'load_file("__proto__")',
  'load_file("constructor")',
  'grep_file("root", "/etc/passwd")',
  'preview_dir("..")',
  'preview_dir("/etc")',
  'add_results_from_file("/etc/passwd")',
  'grep("(a+)+$").length || undefined',
  'grep("(?=x)")',
  'peek("0; process")',
  'chunk_indices(0)',
  'chunk_indices(10, 10)',
]

test('nothing leads out of the isolate, and no helper out of the files', () => {
  const { cwd, json } = place()
  symlinkSync('/etc/passwd', join(cwd, 'link.txt'))
  const code = `${JSON.stringify(escapes)}.flatMap((source) => {
    try { const got = (0, eval)(source); return got === undefined || typeof got === 'function' && !/native/.test(got) ? [] : [[source, String(got)]] } catch { return [] }
  })`
  expect(json(code, '-t', '60s')).toMatchObject({ kind: 'done', value: '[]' })
  for (const source of [
    'import fs from "fs"',
    'import("fs").then((fs) => print(fs.readdirSync("/")))',
    'await import("node:fs")',
  ]) {
    expect(['[object Promise]', '{}', null]).toContain(json(source).value)
  }
  expect(json(`${helperNames.join(';')}; Object.keys(globalThis).length`).kind).toBe('done')
})

test('code that never ends, or takes all memory, is ended in time, and nothing of it is left', () => {
  const { cwd, exec, json } = place()
  for (const [code, kind] of [
    ['for (let n = 0; n < 10 ** 12; n++);', 'late'],
    ['/(a+)+$/.test("a".repeat(60) + "!")', 'late'],
    ['({ toJSON() { for (;;); } })', 'late'],
    ['for (;;) grep("x")', 'late'],
    ['const all = []; for (;;) all.push(new Uint8Array(1e6))', 'memory'],
    ['const all = []; for (;;) all.push("x".repeat(1e5) + all.length)', 'memory'],
    ['new Array(1e9).fill(0)', 'memory'],
    ['function down() { return down() + 1 } down()', 'thrown'],
    ['JSON.parse("[".repeat(1e6))', 'thrown'],
    ['let s = "x"; for (;;) s += s', 'thrown'],
  ] as const) {
    expect({ code, kind: json(code, '-t', kind === 'late' ? '1s' : '60s').kind }).toEqual({ code, kind })
  }
  expect(exec('for (;;);', '-t', '1s')).toMatchObject({ code: 124, stdout: '' })
  expect(exec('new Array(1e9).fill(0)', '-t', '60s')).toMatchObject({ code: 9, stdout: '' })
  const printed = json('for (let n = 0; n < 3e3; n++) print("x".repeat(1e3))', '-t', '60s').printed
  expect([printed.length > 900_000, printed.length < 1_100_000, printed.endsWith('…\n')]).toEqual([true, true, true])
  expect(processesIn(cwd)).toEqual([])
})

/** Processes whose working folder is this one. */
function processesIn(cwd: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === cwd
    } catch {
      return false
    }
  })
}

test('an interrupt ends the code and its process', async () => {
  const { cwd, env } = place()
  const running = start('deepscan', ['exec', '-t', '5m', '-c', 'for (;;);'], { cwd, env })
  await expect.poll(() => processesIn(cwd).length, { timeout: 60_000 }).toBeGreaterThan(1)
  running.child.kill('SIGINT')
  const { code, stdout } = await running.done
  expect({ code, stdout, left: processesIn(cwd) }).toEqual({ code: 130, stdout: '', left: [] })
})

test('what is stored stays in the scan; nothing else outlives the code', () => {
  const { cwd, env, json, init } = place()
  const id = init()
  const folder = join(env.DEEPSCAN_HOME, 'scans', id)
  const before = readdirSync(folder)
  expect(json('globalThis.kept = 1; var also = 2; get_status().phase').value).toBe('initialized')
  expect(json('typeof kept + typeof also').value).toBe('undefinedundefined')
  expect(readdirSync(folder)).toEqual(before)
  expect(json('add_buffer("one"); add_buffer("two"); get_buffers()').value).toBe('["one","two"]')
  expect(json('clear_buffers(); add_buffer("three"); get_buffers()').value).toBe('["three"]')
  const [first] = JSON.parse(json('write_chunks(null, 50000, 0)').value ?? '[]')
  const chunks = readFileSync(join(folder, 'chunks.jsonl'), 'utf8').split('\n').filter(Boolean)
  expect(chunks.map((line) => chunkSchema.parse(JSON.parse(line)).id)).toEqual([first])
  expect(json('set_phase("mapping"); set_final_answer("all is well"); get_status().phase').value).toBe('completed')
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('"answer":"all is well"')
  expect(json('set_phase("nowhere")')).toMatchObject({ kind: 'thrown' })
  writeFileSync(join(cwd, 'src/a.ts'), 'changed\n')
  expect(json('load_file("src/a.ts")').message).toContain('src/a.ts has changed since init')
  expect(existsSync(join(cwd, 'chunks.jsonl'))).toBe(false)
})

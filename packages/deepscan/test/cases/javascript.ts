// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are source text
import type { RuleCases } from './case.ts'

export const javascriptCases: Readonly<Record<string, RuleCases>> = {
  'js/nan-comparison': {
    mended: [
      ['if (total === NaN) stop()', 'if (Number.isNaN(total)) stop()'],
      ['const ok = NaN !== read(x)', 'const ok = !Number.isNaN(read(x))'],
      ['return_(a.b == Number.NaN)', 'return_(Number.isNaN(a.b))'],
    ],
    reported: ['if (a === /* never */ NaN) b()'],
    clean: ['if (Number.isNaN(a)) b()', 'if (a !== a) b()', "if (a === 'NaN') b()", 'if (a < NaN) b()'],
  },
  'js/typeof-misspelt': {
    mended: [
      ["if (typeof x === 'undefnied') f()", "if (typeof x === 'undefined') f()"],
      ['if (typeof x !== "Function") f()', 'if (typeof x !== "function") f()'],
      ["if (typeof x == 'strng') f()", "if (typeof x == 'string') f()"],
    ],
    reported: ["if (typeof x === 'array') f()", "if (typeof x === 'null') f()"],
    clean: ["if (typeof x === 'bigint') f()", 'if (typeof x === typeof y) f()', "if (kind === 'array') f()"],
  },
  'js/negated-relation': {
    mended: [
      ['if (!key in table) add(key)', 'if (!(key in table)) add(key)'],
      ['if (!error instanceof Failure) throw error', 'if (!(error instanceof Failure)) throw error'],
    ],
    clean: ['if (!(key in table)) add(key)', 'if ((!a) in b) c()', 'if (!a && b in c) d()'],
  },
  'js/in-array-literal': {
    mended: [["if (mode in ['r', 'w']) open(mode)", "if (['r', 'w'].includes(mode)) open(mode)"]],
    clean: ['if (mode in { r: 1 }) open(mode)', "for (const x in ['a', 'b']) f(x)", 'if (0 in [first]) f()'],
  },
  'js/literal-identity': {
    mended: [
      ['if (list === []) stop()', 'if ((Array.isArray(list) && list.length === 0)) stop()'],
      ['const full = a.list !== []', 'const full = !(Array.isArray(a.list) && a.list.length === 0)'],
    ],
    reported: ['if (options === {}) stop()', 'if (read() === []) stop()'],
    clean: ['if (list == null) stop()', 'const list = []', 'if (list.length === 0) stop()'],
  },
  'js/array-length-bound': {
    mended: [
      ['const xs = [1]\nif (xs.length < 0) stop()', 'const xs = [1]\nif (xs.length === 0) stop()'],
      [
        'function f(xs: readonly string[]) { return xs.length >= 0 }',
        'function f(xs: readonly string[]) { return xs.length > 0 }',
      ],
    ],
    clean: ['if (header.length < 0) bad()', 'const xs = [1]\nif (xs.length < 1) stop()'],
  },
  'js/literal-alternative': {
    mended: [
      ["if (x === 'a' || 'b') f()", "if (x === 'a' || x === 'b') f()"],
      ['while (n.kind == 1 || 2) f()', 'while (n.kind == 1 || n.kind == 2) f()'],
      ["if (x === 'a' || x === 'b' || 'c') f()", "if (x === 'a' || x === 'b' || x === 'c') f()"],
      ["if (x === 'a' || 'b' || 'c') f()", "if (x === 'a' || x === 'b' || x === 'c') f()"],
    ],
    clean: [
      "const name = x === 'a' || 'b'",
      "if (x === 'a' || y) f()",
      "if (f(x === 'a' || 'b')) g()",
      "const name = given || 'default'",
    ],
  },
  'js/assignment-in-condition': {
    mended: [
      ['if (state = 3) stop()', 'if (state === 3) stop()'],
      ["while (this.mode = 'on') step()", "while (this.mode === 'on') step()"],
    ],
    clean: ['while ((m = re.exec(s))) f(m)', 'if (a = b) c()', 'if (a === 3) b()', 'if ((a = 3)) b()'],
  },
  'js/self-assignment': {
    reported: ['class A { constructor(name) { name = name } }'],
    clean: ['this.name = name', 'a.b = a.b', 'a += a', 'const f = (x = x0) => x'],
  },
  'js/duplicate-operand': {
    reported: ['if (a.b || a.b) c()', 'const y = x && x', 'if (low <= low) f()'],
    clean: ['if (a || b) c()', 'if (x !== x) nan()', 'if (next() || next()) f()', 'const z = a - a'],
  },
  'js/duplicate-condition': {
    reported: ['if (a === 1) b()\nelse if (a === 2) c()\nelse if (a === 1) d()'],
    clean: ['if (a()) b()\nelse if (a()) c()', 'if (a) b()\nif (a) c()', 'if (a) b()\nelse if (c) d()'],
  },
  'js/throw-literal': {
    mended: [
      ["throw 'no such file'", "throw new Error('no such file')"],
      ['throw `no ${name}`', 'throw new Error(`no ${name}`)'],
    ],
    clean: ["throw new Error('x')", 'throw error', "throw create('x')"],
  },
  'js/return-in-finally': {
    reported: ['function f() { try { g() } finally { return 1 } }'],
    clean: [
      'function f() { try { return g() } finally { h() } }',
      'function f() { try { g() } finally { h(() => { return 1 }) } }',
      'function f() { try { g() } catch (_) {} finally { return e } }',
      'function f() { try { g() } finally { try { if (done) return } finally { if (failed) throw e } } }',
    ],
  },
  'js/indexof-truthiness': {
    mended: [
      ["if (name.indexOf('x')) f()", "if (name.includes('x')) f()"],
      [
        'const n = a && b ? 1 : 2\nif (ok && list.indexOf(n)) f()',
        'const n = a && b ? 1 : 2\nif (ok && list.includes(n)) f()',
      ],
    ],
    clean: [
      "if (!name.indexOf('x')) f()",
      'if (~a.indexOf(b)) f()',
      'if (a.indexOf(b) > 0) f()',
      'const at = a.indexOf(b)',
      'if (a.indexOf(b, 1)) f()',
    ],
  },
  'js/indexof-positive': {
    mended: [
      ["const xs = ['a', 'b']\nif (xs.indexOf(x) > 0) f()", "const xs = ['a', 'b']\nif (xs.includes(x)) f()"],
      [
        'function has(xs: string[], x: string) { return xs.indexOf(x) > 0 }',
        'function has(xs: string[], x: string) { return xs.includes(x) }',
      ],
    ],
    clean: [
      "if (path.indexOf('/') > 0) f()",
      'const xs = [1]\nif (xs.indexOf(x) >= 0) f()',
      "const s = ['a']\nfunction g(s: string) { return s.indexOf('a') > 0 }",
    ],
  },
  'js/fill-shared-reference': {
    mended: [
      [
        'const rows: number[][] = new Array(n).fill([])',
        'const rows: number[][] = Array.from({ length: n }, () => [])',
      ],
      ['use(new Array(n).fill([]))', 'use(Array.from({ length: n }, (): any[] => []))'],
      [
        'const grid = Array(h).fill(Array(w).fill(0))',
        'const grid = Array.from({ length: h }, () => Array(w).fill(0))',
      ],
      ['const bags = new Array(3).fill({ count: 0 })', 'const bags = Array.from({ length: 3 }, () => ({ count: 0 }))'],
      [
        'const m = new Array<Set<string>>(2).fill(new Set())',
        'const m = Array.from({ length: 2 }, (): Set<string> => new Set())',
      ],
    ],
    reported: ['async function f() { return new Array(2).fill([await g()]) }'],
    clean: [
      'new Array(3).fill(0)',
      "rows.concat(new Array(9).fill(['', '']))",
      'bytes.fill([])',
      "Array(3).fill('')",
      'new Array(3).fill(shared)',
      'Array(1, 2).fill([])',
    ],
  },
  'js/map-holes': {
    mended: [['const xs = new Array(n).map((_, i) => i)', 'const xs = Array.from({ length: n }, (_, i) => i)']],
    reported: ['const xs = Array(n).map((x) => x + 1)', 'const xs = Array(n).map(make)'],
    clean: ['Array.from(xs).map(f)', 'new Array(n).fill(0).map(f)', 'Array(a, b).map(f)'],
  },
  'js/map-parseint': {
    mended: [
      ["const ns = line.split(',').map(parseInt)", "const ns = line.split(',').map((value) => parseInt(value, 10))"],
      ['xs.map(Number.parseInt)', 'xs.map((value) => Number.parseInt(value, 10))'],
    ],
    clean: ['xs.map(Number)', 'xs.map(parseFloat)', 'xs.map((x) => parseInt(x, 10))'],
  },
  'js/sort-numbers': {
    mended: [
      ['const xs: number[] = read()\nxs.sort()', 'const xs: number[] = read()\nxs.sort((a, b) => a - b)'],
      ['const top = [10, 9, 1].sort()', 'const top = [10, 9, 1].sort((a, b) => a - b)'],
      ['const ys = names.map(Number).sort()', 'const ys = names.map(Number).sort((a, b) => a - b)'],
    ],
    clean: [
      'names.sort()',
      'const xs: string[] = f()\nxs.sort()',
      '[3, 1, 2].sort()',
      'const xs: number[] = f()\nxs.sort(by)',
    ],
  },
  'js/off-by-one': {
    mended: [
      ['for (let i = 0; i <= xs.length; i++) sum += xs[i]', 'for (let i = 0; i < xs.length; i++) sum += xs[i]'],
      [
        'for (let i = 0; i <= a.xs.length; i++) { print(a.xs[i].name) }',
        'for (let i = 0; i < a.xs.length; i++) { print(a.xs[i].name) }',
      ],
    ],
    clean: [
      'for (let i = 0; i < xs.length; i++) sum += xs[i]',
      'for (let i = 0; i <= s.length; i++) parts.push(s.slice(0, i))',
      'for (let i = 0; i <= xs.length; i++) { if (i === xs.length) end(); else sum += xs[i] }',
      'for (let i = 0; i <= s.length; i++) { const c = s[i]; if (c === undefined) end() }',
      'for (let i = 1; i <= xs.length; i++) sum += xs[i]',
    ],
  },
  'js/async-foreach': {
    mended: [
      [
        'async function f(xs: string[]) {\n  xs.forEach(async (x: string) => {\n    await g(x)\n  })\n}',
        'async function f(xs: string[]) {\n  for (const x of xs) {\n    await g(x)\n  }\n}',
      ],
    ],
    reported: [
      'xs.forEach(async (x) => { await g(x) })',
      'async function f(xs: string[]) { xs.forEach(async (x) => { if (!x) return; await g(x) }) }',
      'async function f(xs: string[]) { xs.forEach(async (x, i) => { await g(x, i) }) }',
    ],
    clean: ['xs.forEach((x) => g(x))', 'xs.map(async (x) => { await g(x) })', 'xs.forEach(async (x) => g(x))'],
  },
  'js/new-buffer': {
    mended: [
      ["const b = new Buffer('text', 'utf8')", "const b = Buffer.from('text', 'utf8')"],
      ['const b = new Buffer(10)', 'const b = Buffer.alloc(10)'],
      ["const b = new Buffer(value, 'base64')", "const b = Buffer.from(value, 'base64')"],
    ],
    reported: ['const b = new Buffer(value)', 'const b = new Buffer(value, encoding)'],
    clean: [
      'Buffer.from(value)',
      'new Buffers(1)',
      'const b = Buffer.from ? Buffer.from(value) : new Buffer(value)',
      "if (typeof Buffer.from === 'function') f()\nelse g(new Buffer(value, 'utf8'))",
      'const b = Buffer.allocUnsafe ? Buffer.allocUnsafe(n) : new Buffer(n)',
    ],
  },
  'js/tls-verification-off': {
    reported: [
      'connect({ rejectUnauthorized: false })',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'",
      'options.rejectUnauthorized = false',
    ],
    clean: [
      'connect({ rejectUnauthorized: true })',
      'connect({ rejectUnauthorized })',
      'if (strictSSL === false) { self.rejectUnauthorized = false }',
    ],
  },
  'js/weak-password-hash': {
    reported: [
      "const h = createHash('md5').update(password).digest('hex')",
      "crypto.createHash('sha1').update(user.passwd + salt)",
    ],
    clean: ["createHash('md5').update(file).digest('hex')", "createHash('sha256').update(password)"],
  },
  'js/shell-injection': {
    reported: [
      "import { execSync } from 'node:child_process'\nexecSync(`git log ${name}`)",
      "const cp = require('child_process')\ncp.exec('rm ' + name, done)",
    ],
    clean: [
      'const m = exec(`a ${b}`)',
      "import { execSync } from 'node:child_process'\nexecSync('git log')",
      "import { execSync } from 'node:child_process'\nexecSync(`git log ${LIMIT}`)",
      "import { execFileSync } from 'node:child_process'\nexecFileSync('git', ['log', name])\nre.exec('a' + b)",
    ],
  },
  'js/dynamic-eval': {
    reported: ['const v = eval(text)', 'eval(`f(${x})`)'],
    clean: ["eval('require')", 'page.eval(text)', 'JSON.parse(text)'],
  },
  'js/insecure-random': {
    reported: [
      'const token = Math.random().toString(36).slice(2)',
      'const user = { sessionId: Math.random() }',
      'function makeSalt() { return Math.random() }',
    ],
    clean: ['const jitter = Math.random() * 10', 'const tokenCount = Math.random()', 'const token = randomUUID()'],
  },
}

import { expect, test } from 'vitest'
import { contentOf, findLanguage, languageOf, parsedLanguages } from '../src/syntax/language.ts'
import { loadParser } from '../src/syntax/parser.ts'

test('a file is told by its name, its ending, and the program that its first line calls', () => {
  const cases = [
    ['src/a.TS', '', 'typescript'],
    ['a.d.mts', '', 'typescript'],
    ['a.tsx', '', 'tsx'],
    ['a.jsx', '', 'javascript'],
    ['a/wscript', '', 'python'],
    ['Dockerfile.dev', '', 'dockerfile'],
    ['x.dockerfile', '', 'dockerfile'],
    ['Rakefile', '', 'ruby'],
    ['a.h', 'int f(void);\n', 'c'],
    ['a.h', '#pragma once\nnamespace a {\n', 'cpp'],
    ['a.h', 'class A;\n', 'cpp'],
    ['bin/run', '#!/bin/sh\n', 'bash'],
    ['bin/run', '#!/usr/bin/env python3.11\n', 'python'],
    ['bin/run', '#!/usr/bin/env -S node --import x\n', 'javascript'],
    ['bin/run', '#! /usr/bin/env FOO=1 ruby -w\r\n', 'ruby'],
    ['bin/run', '#!/usr/bin/php8.2\n', 'php'],
    ['bin/run.ts', '#!/bin/sh\n', 'typescript'],
    ['bin/run', '#!\n', undefined],
    ['bin/run', '#!/opt/own/thing\n', undefined],
    ['LICENSE', 'MIT', undefined],
    ['constructor', '', undefined],
    ['a.__proto__', '#!/usr/bin/env __proto__\n', undefined],
  ] as const
  expect(cases.map(([path, head]) => languageOf(path, head))).toEqual(cases.map(([, , language]) => language))
  expect(['a.go', 'a.py', 'a.md', 'bin/run'].map(findLanguage)).toEqual(['go', 'python', undefined, undefined])
  expect((['rust', 'yaml', 'markdown', 'text', 'html', undefined] as const).map(contentOf)).toEqual([
    'code',
    'config',
    'docs',
    'text',
    'markup',
    undefined,
  ])
})

test('each grammar reads its language without an error, and has an error for what is none', async () => {
  const sources = {
    typescript: ['const f = <T,>(a: T): string => String(a)', 'lexical_declaration'],
    tsx: ['const a = <A b={1}>c</A>', 'lexical_declaration'],
    javascript: ['class A { #b = 1 }', 'class_declaration'],
    python: ['def f(*, a: int = 1) -> None: ...', 'function_definition'],
    go: ['package a\nfunc f[T any](x T) {}', 'function_declaration'],
    rust: ["fn f<'a>(x: &'a str) -> impl Fn() + 'a { || () }", 'function_item'],
    java: ['record A(int b) { void c() {} }', 'record_declaration'],
    c: ['static int f(void) { return 1; }', 'function_definition'],
    cpp: ['template <typename T> class A { T b; };', 'template_declaration'],
    csharp: ['namespace A { class B { void C() => D(); } }', 'namespace_declaration'],
    ruby: ['def f(a:) = a', 'method'],
    php: ['<?php function f(?int $a): void {}', 'function_definition'],
    bash: ['f() { echo "$1" | grep -c x; }', 'function_definition'],
  } as const
  expect(Object.keys(sources).sort()).toEqual([...parsedLanguages].sort())
  for (const language of parsedLanguages) {
    const [text, kind] = sources[language]
    const parse = await loadParser(language)
    const root = parse(language, text)
    const errors = (source: string) => parse(language, source).findAll({ rule: { kind: 'ERROR' } }).length
    expect([language, root.children().map((child) => child.kind()), errors(text)]).toEqual([
      language,
      expect.arrayContaining([kind]),
      0,
    ])
    expect(errors(language === 'php' ? '<?php ){' : ')) }{ ((')).toBeGreaterThan(0)
  }
})

import type { Language } from '../syntax/language.ts'

/** What a definition is, in one word for all languages. */
export const symbolKinds = ['function', 'class', 'interface', 'type', 'enum', 'module', 'macro'] as const
export type SymbolKind = (typeof symbolKinds)[number]

type NodeKinds = Readonly<Record<string, SymbolKind>>

const javascript: NodeKinds = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  method_definition: 'function',
  variable_declarator: 'function',
  class_declaration: 'class',
}

const typescript: NodeKinds = {
  ...javascript,
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  type_alias_declaration: 'type',
  enum_declaration: 'enum',
  internal_module: 'module',
}

const c: NodeKinds = {
  function_definition: 'function',
  struct_specifier: 'class',
  union_specifier: 'class',
  enum_specifier: 'enum',
  type_definition: 'type',
  preproc_function_def: 'macro',
}

/** Which nodes of a tree define something, for each language; a language without an entry has no symbols. */
export const definitionKinds: { readonly [L in Language]: NodeKinds } = {
  javascript,
  typescript,
  tsx: typescript,
  python: { function_definition: 'function', class_definition: 'class' },
  go: { function_declaration: 'function', method_declaration: 'function', type_spec: 'type', type_alias: 'type' },
  rust: {
    function_item: 'function',
    struct_item: 'class',
    union_item: 'class',
    enum_item: 'enum',
    trait_item: 'interface',
    type_item: 'type',
    mod_item: 'module',
    macro_definition: 'macro',
  },
  java: {
    class_declaration: 'class',
    record_declaration: 'class',
    interface_declaration: 'interface',
    annotation_type_declaration: 'interface',
    enum_declaration: 'enum',
    method_declaration: 'function',
    constructor_declaration: 'function',
  },
  c,
  cpp: { ...c, class_specifier: 'class', namespace_definition: 'module', alias_declaration: 'type' },
  csharp: {
    class_declaration: 'class',
    struct_declaration: 'class',
    record_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    delegate_declaration: 'type',
    method_declaration: 'function',
    constructor_declaration: 'function',
    local_function_statement: 'function',
  },
  ruby: { method: 'function', singleton_method: 'function', class: 'class', module: 'module' },
  php: {
    function_definition: 'function',
    method_declaration: 'function',
    class_declaration: 'class',
    trait_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
  },
  bash: { function_definition: 'function' },
}

/** Nodes that call something by name, for each language. */
export const callKinds: { readonly [L in Language]: readonly string[] } = {
  javascript: ['call_expression', 'new_expression'],
  typescript: ['call_expression', 'new_expression'],
  tsx: ['call_expression', 'new_expression', 'jsx_opening_element', 'jsx_self_closing_element'],
  python: ['call'],
  go: ['call_expression'],
  rust: ['call_expression', 'macro_invocation'],
  java: ['method_invocation', 'object_creation_expression'],
  c: ['call_expression'],
  cpp: ['call_expression', 'new_expression'],
  csharp: ['invocation_expression', 'object_creation_expression'],
  ruby: ['call'],
  php: ['function_call_expression', 'member_call_expression', 'scoped_call_expression', 'object_creation_expression'],
  bash: ['command'],
}

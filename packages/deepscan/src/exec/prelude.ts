/** The names that code in the isolate has for the helpers: those of the original. */
export const helperNames = [
  'peek',
  'peek_head',
  'peek_tail',
  'grep',
  'grep_file',
  'chunk_indices',
  'write_chunks',
  'add_buffer',
  'get_buffers',
  'clear_buffers',
  'add_result',
  'add_results_from_file',
  'set_phase',
  'set_final_answer',
  'get_status',
  'context_length',
  'is_lazy_mode',
  'get_tree_view',
  'preview_dir',
  'load_file',
  'list_files',
] as const

/** Runs in the isolate before the code. */
export const prelude = `
(() => {
  const call = globalThis.__call, toText = JSON.stringify, fromText = JSON.parse
  delete globalThis.__call
  const show = (value) => {
    if (typeof value === 'string') return value
    const text = toText(value, (_, inner) => (typeof inner === 'bigint' || typeof inner === 'function' ? String(inner) : inner))
    return text === undefined ? undefined : text
  }
  for (const name of ${JSON.stringify(helperNames)}) {
    globalThis[name] = (...given) => {
      const { value, error } = fromText(call(name, toText(given)))
      if (error !== undefined) throw new Error(error)
      return value
    }
  }
  globalThis.print = (...values) => { call('print', values.map((value) => String(show(value))).join(' ')) }
  globalThis.console = { log: globalThis.print }
  globalThis.__show = show
})()
`

// ink as a file of CommonJS can hold it. Its layout engine waits, where it is imported, for WebAssembly, which only an ES module can:
// it begins empty, and who draws fills it (`loadYoga`). What its developers need, it waits for, too. Whether a machine is one of continuous integration is nothing to a dashboard.
import { readFileSync } from 'node:fs'

const instead = new Map([
  ['yoga-layout', 'export default {}'],
  ['is-in-ci', 'export default false'],
])

/** What React is told, so that it leaves out what only its developers need. */
export const inkDefine = { 'process.env.NODE_ENV': '"production"' }

export const inkModules = {
  name: 'ink-modules',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^(yoga-layout|is-in-ci)$/ }, ({ path }) => ({ path, namespace: 'ink-modules' }))
    esbuild.onLoad({ filter: /^/, namespace: 'ink-modules' }, ({ path }) => ({ contents: instead.get(path) }))
    esbuild.onLoad({ filter: /[\\/]ink[\\/]build[\\/]reconciler\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('isDev()', 'false'),
    }))
  },
}

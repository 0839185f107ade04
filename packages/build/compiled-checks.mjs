// Puts compiled checks in the place of each `NAME.check.ts`: in the bundles, and in what the tests import.
import { relative } from 'node:path'
import { build } from 'esbuild'
import { compileModule } from './compile-check.mjs'

const checkFile = /[\\/]src[\\/].*\.check\.ts$/

/** Sources by path: many bundles load the same checks. */
const compiled = new Map()

/** The plugin for esbuild; `stop` is told in one line of a schema that cannot be compiled, and does not return. */
export const compiledChecks = (stop) => ({
  name: 'compiled-checks',
  setup(esbuild) {
    esbuild.onLoad({ filter: checkFile }, async ({ path }) => {
      if (!compiled.has(path)) compiled.set(path, compileFile(path))
      try {
        return { contents: await compiled.get(path), loader: 'js' }
      } catch (error) {
        return stop(`${relative('', path)}: ${error.message}`)
      }
    })
  },
})

/** The plugin for vitest: tests run what is shipped. */
export const compiledChecksInTests = {
  name: 'compiled-checks',
  load: (id) => (checkFile.test(id) ? compileFile(id) : undefined),
}

/** Runs the file with zod, and compiles what it exports. */
async function compileFile(path) {
  const zod = { name: 'zod', setup: (esbuild) => esbuild.onResolve({ filter: /^zod$/ }, () => zodItself) }
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [zod],
  })
  const source = Buffer.from(outputFiles[0].contents).toString('base64')
  return compileModule(await import(`data:text/javascript;base64,${source}`))
}

const zodItself = { path: import.meta.resolve('zod'), external: true }

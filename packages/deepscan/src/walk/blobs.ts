import { spawn } from 'node:child_process'
import { Failure } from '@switchyard/ground/failure'
import { type GitPlace, gitCall } from './git.ts'

const lineFeed = 10

/** Reads objects of a repository, one after the other, through one process of git. `close` ends it. */
export type BlobReader = { read: (hash: string) => Promise<Buffer>; close: () => void }

export function openBlobs(place: GitPlace): BlobReader {
  const { argv, env } = gitCall(place, ['cat-file', '--batch'])
  const child = spawn('git', argv, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  let failed: Error | undefined
  child.on('error', (error) => {
    failed = error
    child.stdout.destroy()
  })
  // A process that ends early is seen at its output.
  child.stdin.on('error', () => undefined)
  const output = child.stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const next = await output.next()
    if (next.done === true)
      throw new Failure('outside', `git cat-file ended early${failed ? `: ${failed.message}` : ''}`)
    return next.value as Buffer
  }
  const take = async (length: number) => {
    const pieces = [rest]
    let has = rest.length
    while (has < length) {
      const piece = await more()
      pieces.push(piece)
      has += piece.length
    }
    const all = pieces.length === 1 ? rest : Buffer.concat(pieces)
    rest = all.subarray(length)
    return all.subarray(0, length)
  }
  const takeLine = async () => {
    while (!rest.includes(lineFeed)) rest = Buffer.concat([rest, await more()])
    return (await take(rest.indexOf(lineFeed) + 1)).toString('utf8').trimEnd()
  }
  const read = async (hash: string) => {
    child.stdin.write(`${hash}\n`)
    const head = await takeLine()
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1]
    if (size === undefined) throw new Failure('outside', `git has no file ${hash}: ${head}`)
    const bytes = Buffer.from(await take(Number(size)))
    await take(1)
    return bytes
  }
  return { read, close: () => child.stdin.end() }
}

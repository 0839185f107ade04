import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scaled, tempFolder } from '@switchyard/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appendLine, checkLog, parseRecord, readLines, seal } from '../src/index.ts'
import { pause, startProgram } from './program.ts'

const writersMax = 8
/**
 * Each writer lives a random part of this: long enough to be warm when it is killed, short enough for the
 * disk.
 */
const lifeMsMax = (bytes: number) => (bytes > 10_000 ? 100 : 200)

/** Ids in a file of one per line; a last one without LF was never written to its end. */
function idsIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1)
}

/**
 * Writers that wait for each other, then all write at once until each is killed. Returns their acknowledgement
 * files.
 */
async function storm(path: string, folder: string, round: number, bytes: number): Promise<string[]> {
  const acknowledged = Array.from({ length: writersMax }, (_, index) => join(folder, `${round}-${index}`))
  const writers = acknowledged.map((file, index) =>
    startProgram('storm', [path, file, `${round}-${index}`, String(bytes)]),
  )
  await Promise.all(writers.map((writer) => writer.saw('ready')))
  for (const { child } of writers) child.stdin?.write('\n')
  await Promise.all(
    writers.map(async ({ child, done }) => {
      await pause(1 + Math.random() * lifeMsMax(bytes))
      child.kill('SIGKILL')
      expect((await done).stderr).toBe('')
    }),
  )
  return acknowledged
}

function countedTwice(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return ids.filter((id) => seen.size === seen.add(id).size)
}

function missingFrom(ids: Iterable<string>, expected: readonly string[]): string[] {
  const present = new Set(ids)
  return expected.filter((id) => !present.has(id))
}

describe.each([
  { bytes: 200, sealing: false },
  { bytes: 4_096, sealing: false },
  { bytes: 65_536, sealing: false },
  { bytes: 4_096, sealing: true },
])('8 writers of $bytes bytes a line, each killed over and over (sealing: $sealing)', ({ bytes, sealing }) => {
  it('have every acknowledged record in the log once, and a follower sees each record once', async () => {
    const folder = tempFolder('storm')
    const path = join(folder, 't.jsonl')
    mkdirSync(join(folder, 'acknowledged'))
    const seen = join(folder, 'seen')
    const follower = startProgram('follow', [path, seen])
    onTestFinished(() => void follower.child.kill('SIGKILL'))
    await follower.saw('ready')
    const rounds = scaled(1_000 / writersMax, 25)
    const files: string[] = []
    for (let round = 0; round < rounds; round++) {
      const sealed = sealing
        ? pause(Math.random() * lifeMsMax(bytes)).then(() =>
            seal(path, `01ARZ3NDEKTSV4RRFFQ69G${String(round).padStart(4, '0')}`),
          )
        : undefined
      files.push(...(await storm(path, join(folder, 'acknowledged'), round, bytes)))
      await sealed
    }
    appendLine(path, '{"id":"end"}')
    expect(await follower.done).toMatchObject({ code: 0, stdout: 'readydone', stderr: '' })

    const acknowledged = files.flatMap(idsIn)
    const inLog = [...readLines(path)].flatMap((line) => parseRecord(line)?.id ?? []).map(String)
    const followed = idsIn(seen)
    const check = checkLog(path)
    process.stdout.write(
      `storm ${bytes} B${sealing ? ', sealing' : ''}: ${files.length} kills, ${acknowledged.length} acknowledged, ` +
        `${inLog.length} in the log, ${check.torn} torn\n`,
    )
    expect(missingFrom(inLog, acknowledged)).toEqual([])
    expect(countedTwice(inLog)).toEqual([])
    expect(missingFrom([...followed, 'end'], inLog).slice(0, 20)).toEqual([])
    expect(countedTwice(followed)).toEqual([])
    expect(check.corrupt).toEqual([])
    expect(check.duplicates).toBe(0)
  })
})

import { Framer } from './framing.ts'

/** Lines of stdin as they come, while the process goes on with other things. */
export async function* asyncLines(bytesMax: number): AsyncGenerator<Buffer> {
  const framer = new Framer(bytesMax)
  for await (const chunk of process.stdin) for (const batch of framer.push(Buffer.from(chunk))) yield* batch
  for (const batch of framer.end()) yield* batch
}

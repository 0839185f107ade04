import { StringDecoder } from 'node:string_decoder'

const lineCharsMax = 500

/** Takes the output of an agent as it comes, and tells each line that it says on stderr. */
export function passOn(agent: string, tell: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  return (chunk: Uint8Array, stream: 'stdout' | 'stderr') => {
    if (stream === 'stdout') return
    const lines = (begun + decoder.write(Buffer.from(chunk))).split(/\r\n|[\r\n]/)
    begun = (lines.pop() ?? '').slice(-lineCharsMax)
    for (const line of lines) if (line.trim() !== '') tell(`${agent}: ${line.slice(0, lineCharsMax)}`)
  }
}

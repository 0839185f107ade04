import { expect, it } from 'vitest'
import { captureEnd, captureHeadAndTail } from '../src/capture.ts'

const encode = (text: string) => new TextEncoder().encode(text)

it('gives back whatever fits, wherever it was cut into chunks', () => {
  const bytes = encode('aé€😀 and more')
  for (let cut = 0; cut <= bytes.length; cut++) {
    const capture = captureHeadAndTail(1000)
    capture.add(bytes.subarray(0, cut))
    capture.add(bytes.subarray(cut))
    expect(capture.text()).toBe('aé€😀 and more')
    expect(capture.truncated).toBe(false)
  }
})

it('never shows half a character at an edge', () => {
  for (let bytesMax = 2; bytesMax < 40; bytesMax++) {
    const both = captureHeadAndTail(bytesMax)
    const end = captureEnd(bytesMax)
    for (const capture of [both, end]) for (const byte of encode('aé€😀'.repeat(30))) capture.add(Uint8Array.of(byte))
    expect(both.text()).not.toContain('\ufffd')
    expect(end.text()).not.toContain('\ufffd')
    expect(both.truncated && end.truncated).toBe(true)
  }
})

it('keeps nothing of a stream when the bound is 0', () => {
  const capture = captureEnd(0)
  capture.add(encode('secret'))
  expect(capture.text()).toBe('')
})

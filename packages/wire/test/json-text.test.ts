import { describe, expect, it } from 'vitest'
import { withElement, without, withValue } from '../src/settings/json-text.ts'

describe('a change of a JSON text', () => {
  it('is laid out as the text is', () => {
    expect(withValue('{"a":1}', ['k'], { x: [1] })).toBe('{"a":1,"k": {"x":[1]}}')
    expect(withValue('{\n\t"a": 1\n}', ['k'], { x: 1 })).toBe('{\n\t"a": 1,\n\t"k": {\n\t\t"x": 1\n\t}\n}')
    expect(withValue('{\r\n    "a": 1\r\n}', ['k'], 2)).toBe('{\r\n    "a": 1,\r\n    "k": 2\r\n}')
    expect(withElement('{"l":[1]}', ['l'], { a: 1 })).toBe('{"l":[1,{"a":1}]}')
  })

  it('takes one item out', () => {
    expect(without('{"l":[1, 2, 3]}', ['l', 0])).toBe('{"l":[2, 3]}')
    expect(without('{"l":[1, 2, 3]}', ['l', 1])).toBe('{"l":[1, 3]}')
    expect(without('{"l":[1]}', ['l', 0])).toBe('{"l":[]}')
    expect(without('{"a":1,"b":2}', ['b'])).toBe('{"a":1}')
  })
})

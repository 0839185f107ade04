/** Kinds of characters as the tokenizers of models tell them apart. */
const mark = 0
const lower = 1
const upper = 2
const digit = 3
const lineEnd = 4
const blank = 5
const alphabetic = 6
const ideographic = 7
const other = 8

/** Tokens for each of these, fitted to an exact count of o200k on 1,400 files of a dozen languages. */
const word = 1.034
const letterBeyondFive = 0.051
const letterBeyondNine = 0.129
const threeDigits = 1.41
const marks = 0.722
const markBeyondOne = 0.088
const lineEnds = 0.375
const indentation = 1.144
const alphabeticLetter = 0.27
const ideograph = 0.62
const otherUnit = 0.418

const kindOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10 || code === 13) return lineEnd
  if (code === 32 || code === 9) return blank
  if (code >= 48 && code <= 57) return digit
  if (code >= 65 && code <= 90) return upper
  return code >= 97 && code <= 122 ? lower : mark
})

/**
 * About how many tokens a text is for a model: of source files, half are within 3 % of the exact count, nine of ten
 * within 9 %. It takes a twentieth of the time of `countTokens` and never fails.
 */
export function estimateTokens(text: string): number {
  return Math.round(measureTokens(text))
}

/** The estimate with its fraction: those of the parts of a text add up to that of the text, or to a little more. */
export function measureTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    const end = endOfRun(text, at, kind)
    tokens += tokensOfRun(kind, end - at)
    at = end
  }
  return tokens
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) return kindOfAscii[code] ?? mark
  if (code >= 0xc0 && code < 0x250) return lower
  if (code >= 0x370 && code < 0x1000) return alphabetic
  return (code >= 0x2e80 && code < 0xd800) || (code >= 0xf900 && code < 0xfb00) ? ideographic : other
}

/** A capital begins the word of the small letters behind it; capitals in a row are one with them. */
function endOfRun(text: string, start: number, kind: number): number {
  let end = start + 1
  if (kind >= alphabetic) return end
  while (end < text.length && kindAt(text, end) === kind) end += 1
  if (kind === upper) while (end < text.length && kindAt(text, end) === lower) end += 1
  return end
}

function tokensOfRun(kind: number, length: number): number {
  switch (kind) {
    case lower:
    case upper:
      return word + Math.max(0, Math.min(length, 9) - 5) * letterBeyondFive + Math.max(0, length - 9) * letterBeyondNine
    case digit:
      return Math.ceil(length / 3) * threeDigits
    case mark:
      return marks + (length - 1) * markBeyondOne
    case lineEnd:
      return lineEnds
    case blank:
      return length > 1 ? indentation : 0
    case alphabetic:
      return alphabeticLetter
    case ideographic:
      return ideograph
    default:
      return otherUnit
  }
}

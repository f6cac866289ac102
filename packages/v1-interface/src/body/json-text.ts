import { maxBytesPerValue, maxDepth, tooDeep, tooMany, tooSpacious, twoModels } from './json-limits.ts'

const quote = 0x22
const backslash = 0x5c
/** The name `model`, with each of its letters written as an escape of six characters. */
const longestModel = 30
/** Up to here looking at each byte is quicker than `indexOf`. */
const shortString = 64

/**
 * Looks through JSON text in UTF-8, piece by piece as it comes, and refuses what is nested too deeply, has too many keys and
 * values, or names its model twice. So such a body is refused after its first few kilobytes, before anything is built of it:
 * `JSON.parse` takes a million levels, and over a million values it takes seconds, in which nobody else is served.
 * @returns a function to call with each piece @throws GenerationError `invalid_request`, from that function
 */
export function jsonTextCheck(maxValues: number): (piece: Uint8Array) => void {
  let depth = 0
  // Each key is followed by a colon, each value but the first of its list or object comes after a comma.
  let values = 1
  let strings = 0
  let models = 0
  let isInString = false
  let isEscaped = false
  /** What earlier pieces have of the string that is being read, as far as it may be the name `model`. */
  let begun = ''
  let isLastStringModel = false
  let isBroken = false
  let bytesOutsideStrings = 0

  function take(piece: Uint8Array): void {
    bytesOutsideStrings += piece.length
    let at = 0
    if (isInString) at = restOfString(piece, 0) + 1
    for (; at < piece.length && !isBroken; at++) {
      switch (piece[at]) {
        case quote:
          if (++strings > maxValues) throw tooMany(maxValues)
          isInString = true
          begun = ''
          at = restOfString(piece, at + 1)
          break
        case 0x5b: // [
        case 0x7b: // {
          if (++depth > maxDepth) throw tooDeep()
          countValue()
          break
        case 0x5d: // ]
        case 0x7d: // }
          // More are closed than were opened: the parser will say so.
          if (--depth < 0) isBroken = true
          break
        case 0x3a: // :
          if (depth === 1 && isLastStringModel && ++models > 1) throw twoModels()
          countValue()
          break
        case 0x2c: // ,
          countValue()
      }
    }
    if (bytesOutsideStrings > maxValues * maxBytesPerValue) throw tooSpacious(maxValues)
  }

  function countValue(): void {
    if (++values > maxValues) throw tooMany(maxValues)
  }

  /** Reads on in a string. @returns where its closing quote is, or the end of the piece when it goes on in the next one */
  function restOfString(piece: Uint8Array, from: number): number {
    const end = endOfString(piece, from)
    bytesOutsideStrings -= end - from
    const length = begun.length + end - from
    if (isInString)
      begun = length > longestModel ? begun.padEnd(longestModel + 1) : begun + textOf(piece, from, end)
    else
      isLastStringModel = length >= 5 && length <= longestModel && isModel(begun + textOf(piece, from, end))
    return end
  }

  function endOfString(piece: Uint8Array, from: number): number {
    const shortEnd = Math.min(from + shortString, piece.length)
    let at = walk(piece, from, shortEnd)
    if (isInString && !isEscaped && at < piece.length) {
      // Found at once in pictures, which are most of what is long. Text with a backslash is walked through.
      const end = piece.indexOf(quote, at)
      if (end < 0 && !piece.includes(backslash, at)) return piece.length
      if (end >= 0 && piece[end - 1] !== backslash) at = end
    }
    return isInString ? walk(piece, at, piece.length) : at
  }

  /** @returns where the string's closing quote is, or `to` */
  function walk(piece: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = piece[at]
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) {
        isInString = false
        return at
      }
    }
    return to
  }

  return (piece) => {
    if (!isBroken) take(piece)
  }
}

function textOf(piece: Uint8Array, from: number, end: number): string {
  let text = ''
  for (let at = from; at < end; at++) text += String.fromCharCode(piece[at] as number)
  return text
}

/** Whether a string's text in JSON is `model`, however it is spelt. */
function isModel(spelling: string): boolean {
  if (!spelling.includes('\\')) return spelling === 'model'
  try {
    return JSON.parse(`"${spelling}"`) === 'model'
  } catch {
    return false
  }
}

/** How deeply the lists and objects of JSON from outside may be nested. */
export const maxJsonDepth = 64

/**
 * The limit for the bytes of JSON text outside of its strings (numbers, brackets, white space) is this number times the
 * limit for its keys and values.
 */
export const maxBytesPerJsonValue = 100

/** Why JSON text costs more than it may. `twoModels`: two fields of the outermost object are named `model`. */
export type JsonFault = 'tooDeep' | 'tooMany' | 'tooSpacious' | 'twoModels'

const quote = 0x22
const backslash = 0x5c
const letterM = 0x6d
/**
 * The longest spelling of the name `model`, in characters: each of its five letters as an escape such as
 * `\u006d`.
 */
const longestModel = 30
/** In a string of up to this many bytes, a loop over the bytes is quicker than `indexOf`. */
const shortString = 64

/**
 * Checks JSON text in UTF-8 piece by piece as it arrives. It refuses text that is nested too deeply, has too many keys
 * and values, has too many bytes outside of its strings, or has two fields named `model`. Such text is refused before
 * it is complete and before it is parsed: `JSON.parse` accepts a million levels of nesting, and a million values take
 * it seconds, in which the process serves no other request.
 * @param maxValues how many keys and values the text may have
 * @param errorFor the error for a fault; `undefined` accepts it
 * @returns a function to call with each piece; it returns the number of keys and values so far, and throws the error
 */
export function jsonTextCheck(
  maxValues: number,
  errorFor: (fault: JsonFault) => Error | undefined,
): (piece: Uint8Array) => number {
  let depth = 0
  // The count starts with the outermost value. Then a colon counts for a key, an opening bracket for the first value of
  // a list or object, and a comma for each further value.
  let values = 1
  let strings = 0
  let models = 0
  let isInString = false
  let isEscaped = false
  /** The part of the current string that earlier pieces held, as long as it may still be the name `model`. */
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
          if (++strings > maxValues) refuse('tooMany')
          isInString = true
          begun = ''
          at = restOfString(piece, at + 1)
          break
        case 0x5b: // [
        case 0x7b: // {
          if (++depth > maxJsonDepth) refuse('tooDeep')
          countValue()
          break
        case 0x5d: // ]
        case 0x7d: // }
          // The text closes more brackets than it has opened. JSON.parse will refuse it, so nothing more is
          // checked.
          if (--depth < 0) isBroken = true
          break
        case 0x3a: // :
          if (depth === 1 && isLastStringModel && ++models > 1) refuse('twoModels')
          countValue()
          break
        case 0x2c: // ,
          countValue()
      }
    }
    if (bytesOutsideStrings > maxValues * maxBytesPerJsonValue) refuse('tooSpacious')
  }

  function refuse(fault: JsonFault): void {
    const error = errorFor(fault)
    if (error) throw error
  }

  function countValue(): void {
    if (++values > maxValues) refuse('tooMany')
  }

  /**
   * Reads to the end of a string.
   * @returns the index of its closing quote, or the end of the piece if the quote is not in it
   */
  function restOfString(piece: Uint8Array, from: number): number {
    const end = endOfString(piece, from)
    bytesOutsideStrings -= end - from
    const length = begun.length + end - from
    if (isInString)
      begun = length > longestModel ? begun.padEnd(longestModel + 1) : begun + textOf(piece, from, end)
    else
      isLastStringModel =
        length >= 5 &&
        length <= longestModel &&
        (begun !== '' || piece[from] === letterM || piece[from] === backslash) &&
        isModel(begun + textOf(piece, from, end))
    return end
  }

  /**
   * Finds the quote that ends the string, or the end of the piece. `indexOf` passes over long strings such as pictures
   * in base64. A quote behind an odd number of backslashes belongs to the string.
   */
  function endOfString(piece: Uint8Array, from: number): number {
    let at = from
    for (;;) {
      const shortEnd = Math.min(at + shortString, piece.length)
      at = walk(piece, at, shortEnd)
      if (!isInString || at === piece.length) return at
      if (isEscaped) continue
      const closing = piece.indexOf(quote, at)
      const end = closing < 0 ? piece.length : closing
      isEscaped = backslashesBefore(piece, end, at) % 2 === 1
      at = end
    }
  }

  /** @returns the index of the string's closing quote, or `to` */
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
    return values
  }
}

/** How many backslashes stand directly before `end`, counted back to `from` at most. */
function backslashesBefore(piece: Uint8Array, end: number, from: number): number {
  let at = end
  while (at > from && piece[at - 1] === backslash) at--
  return end - at
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

import { type JsonFault, jsonTextCheck, maxBytesPerJsonValue, maxJsonDepth } from '@genmount/core'

/** How many keys and values the JSON of a vendor may have, unless a request allows more. */
export const maxAnswerValues = 100_000

/** JSON text of a vendor that costs more than it may. The message continues a sentence such as "It". */
export class CostlyJsonError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'CostlyJsonError'
}

const pieceLength = 65_536

/**
 * Parses a text of a vendor as JSON.
 * @param maxValues how many keys and values it may have
 * @returns `undefined` when it is not JSON, has more keys and values, or is nested more than 64 levels deep
 */
export function jsonIn(text: string, maxValues: number = maxAnswerValues): unknown {
  return jsonReader(maxValues)(text)
}

/**
 * Makes the function that parses several texts of a vendor as {@link jsonIn} does.
 * @param maxValues how many keys and values all of them together may have
 */
export function jsonReader(maxValues: number = maxAnswerValues): (text: string) => unknown {
  let room = maxValues
  return (text) => {
    try {
      room -= valuesIn(text, room)
    } catch {
      // Otherwise each further text would be read up to the limit.
      room = 0
      return undefined
    }
    return parsedJson(text)
  }
}

/** Parses a text as JSON that has been checked before; `undefined` when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return pythonsNumber.test(text) ? jsonOfPython(text) : undefined
  }
}

/** What servers in Python write for numbers that JSON does not have: https://docs.python.org/3/library/json.html#basic-usage */
const pythonsNumber = /[[{:,]\s{0,100}(?:NaN|-?Infinity)\b/
/** It also matches a string without an end, so that it never reads a part of the text twice. */
const textOrNumber = /"[^"\\]*(?:\\[^]?[^"\\]*)*"?|-?\b(?:NaN|Infinity)\b/g

function jsonOfPython(text: string): unknown {
  try {
    return JSON.parse(text.replace(textOrNumber, (part) => (part.startsWith('"') ? part : 'null')))
  } catch {
    return undefined
  }
}

/**
 * Checks the bytes of an answer piece by piece, if it begins as a list or an object in JSON does. A film or a picture is
 * not checked.
 * @returns a function to call with each piece; it throws a {@link CostlyJsonError}
 */
export function answerCheck(maxValues: number = maxAnswerValues): (piece: Uint8Array) => void {
  let check: ((piece: Uint8Array) => unknown) | undefined
  return (piece) => {
    if (check) return void check(piece)
    const at = piece.findIndex((byte) => !isBeforeJson.has(byte))
    if (at < 0) return
    const isJson = piece[at] === 0x5b || piece[at] === 0x7b
    check = isJson ? jsonTextCheck(maxValues, errorFor(maxValues)) : () => {}
    check(piece.subarray(at))
  }
}

/** White space, and the three bytes of a byte order mark. */
const isBeforeJson: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

function valuesIn(text: string, maxValues: number): number {
  const check = jsonTextCheck(maxValues, errorFor(maxValues))
  const encoder = new TextEncoder()
  let values = 0
  // In pieces, because the text may have a picture of many megabytes. A character that is cut in two is in a string.
  for (let at = 0; at < text.length; at += pieceLength)
    values = check(encoder.encode(text.slice(at, at + pieceLength)))
  return values
}

function errorFor(maxValues: number): (fault: JsonFault) => CostlyJsonError | undefined {
  return (fault) => {
    // The last of several fields counts, as in every answer.
    if (fault === 'twoModels') return undefined
    return new CostlyJsonError(
      {
        tooDeep: `is nested more than ${maxJsonDepth} levels deep`,
        tooMany: `has more than ${maxValues} keys and values`,
        tooSpacious: `has more than ${maxValues * maxBytesPerJsonValue} bytes outside of its strings`,
      }[fault],
    )
  }
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import { type JsonFault, jsonTextCheck } from './json-text-check.ts'

const maxValues = 10_000
const errorFor = (fault: JsonFault) => new Error(fault)

/** Checks the text as a whole, and again in pieces of `pieceBytes`. Both results must be the same. */
function refuseCostlyText(text: string, pieceBytes = 7): void {
  const bytes = new TextEncoder().encode(text)
  const outcomes = [bytes.length, pieceBytes].map((length) => {
    const check = jsonTextCheck(maxValues, errorFor)
    try {
      for (let at = 0; at < bytes.length; at += length) check(bytes.subarray(at, at + length))
    } catch (error) {
      return error as Error
    }
    return undefined
  })
  expect(outcomes[1]).toEqual(outcomes[0])
  if (outcomes[0]) throw outcomes[0]
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('JSON with 64 levels is read, with 65 levels it is refused', () => {
  expect(() => refuseCostlyText(nested(64))).not.toThrow()
  expect(() => refuseCostlyText(nested(65))).toThrow('tooDeep')
  expect(() => refuseCostlyText('{"a":'.repeat(65))).toThrow('tooDeep')
})

test('brackets in JSON strings do not count as levels, also after escaped quotes', () => {
  const text = JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}\\`, c: '"[[["' })
  expect(() => refuseCostlyText(text)).not.toThrow()
})

test('the check of JSON text counts as many values as JSON.parse, for any quotes and backslashes, however the text is cut', () => {
  const texts = fc
    .array(fc.constantFrom('\\', '"', 'x'.repeat(30), 'x'.repeat(130), ',', '['))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(texts), fc.integer({ min: 1, max: 200 }), (list, pieceBytes) => {
      const bytes = new TextEncoder().encode(JSON.stringify(list))
      const accepts = (maxValues: number) => {
        const check = jsonTextCheck(maxValues, errorFor)
        for (let at = 0; at < bytes.length; at += pieceBytes) check(bytes.subarray(at, at + pieceBytes))
      }
      // The list is a value, and the check counts an empty list as if it had one.
      const values = 1 + Math.max(1, list.length)
      expect(() => accepts(values)).not.toThrow()
      expect(() => accepts(values - 1)).toThrow('tooMany')
    }),
    { numRuns: 500 },
  )
})

test('wide JSON is not refused as deep JSON', () => {
  expect(() => refuseCostlyText(`[${'[],'.repeat(1000)}[]]`)).not.toThrow()
})

test('an unclosed JSON string is left to the parser, and 20 MB of brackets are refused at once', () => {
  expect(() => refuseCostlyText('"abc')).not.toThrow()
  expect(() => refuseCostlyText('"abc\\"')).not.toThrow()
  expect(() => refuseCostlyText('['.repeat(20_000_000))).toThrow('tooDeep')
})

test('many escaped quotes and long runs of backslashes are checked in linear time', async () => {
  const cpuMs = await cpuTimeOf(() => {
    refuseCostlyText(`"${'\\"'.repeat(2_000_000)}"`)
    refuseCostlyText(`"${'\\\\'.repeat(2_000_000)}"`)
  })
  expect(cpuMs).toBeLessThan(5000)
})

test('JSON with 10,000 keys and values is read, with one more it is refused', () => {
  const zeros = (count: number) => JSON.stringify(Array.from({ length: count }, () => 0))
  const object = (keys: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key ${i}`, `a, b: ${i}`])))
  for (const fits of [zeros(9999), object(4999), `[${'{"a":[1]},'.repeat(2499)}0]`]) {
    expect(() => refuseCostlyText(fits)).not.toThrow()
  }
  for (const wide of [zeros(10_000), object(5000), `[${'{"a":[1]},'.repeat(2500)}0]`]) {
    expect(() => refuseCostlyText(wide)).toThrow('tooMany')
  }
})

test('JSON may have long strings, but only bounded white space and numbers', () => {
  const longest = maxValues * 100
  expect(() => refuseCostlyText(`{"a":"${'b'.repeat(2 * longest)}"}`, 50_000)).not.toThrow()
  expect(() => refuseCostlyText(' '.repeat(longest), 50_000)).not.toThrow()
  for (const filling of [' ', '1', '\0'])
    expect(() => refuseCostlyText(`{"a":${filling.repeat(longest)}`, 50_000)).toThrow('tooSpacious')
})

test('commas and colons in JSON strings do not count as values', () => {
  expect(() => refuseCostlyText(JSON.stringify({ prompt: ',:\\",:'.repeat(10_000) }))).not.toThrow()
})

test('20 MB of small JSON values are refused after the first 10,000', () => {
  for (const wide of ['0,', '"a":1,', '[],', '{"a":', '""'])
    expect(() => refuseCostlyText(`[${wide.repeat(20_000_000 / wide.length)}`)).toThrow(/^too(?:Many|Deep)$/)
})

test('a second field model at the top of a body is refused, however it is spelt; deeper ones belong to the input', () => {
  for (const twice of [
    '{"model":"a","model":"b"}',
    '{"model" : "a", "n": [1], "mod\\u0065l" : "b"}',
    '{"\\u006d\\u006f\\u0064\\u0065\\u006c":"a","x":{"model":1},"model":"a"}',
  ])
    expect(() => refuseCostlyText(twice)).toThrow('twoModels')
  for (const once of [
    '{"model":"model","a":{"model":"b","model":"c"},"models":1,"Model":2}',
    '{"model":"a","b\\\\model":"model","c":["model","model"]}',
    '{"model":"a","\\u00zz":1}',
  ])
    expect(() => refuseCostlyText(once)).not.toThrow()
})

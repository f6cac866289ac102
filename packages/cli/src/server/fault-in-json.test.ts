import { expect, test } from 'vitest'
import { faultInJson } from './fault-in-json.ts'

const wrongText = String.raw`this text has no end on its line, or a \ that must be written as \\`

test.each([
  ['{ "port": 3', 'line 1, column 12: a comma or } is expected, not the end of the file'],
  ['', 'line 1, column 1: a value is expected, not the end of the file'],
  ['{\n  "port": 3,\n}', 'line 3, column 1: a name in double quotes is expected, not }'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 'line 3, column 3: a comma or } is expected, not "'],
  ['{\n  // the port\n  "port": 3\n}', 'line 2, column 3: a name in double quotes is expected, not //'],
  ['{ port: 3 }', 'line 1, column 3: a name in double quotes is expected, not port'],
  ["{ 'port': 3 }", "line 1, column 3: a name in double quotes is expected, not '"],
  ['{ "port" 3 }', 'line 1, column 10: a colon is expected, not 3'],
  ['{ "port": True }', 'line 1, column 11: a value is expected, not True'],
  ['{ "port": 080 }', 'line 1, column 11: a value is expected, not 080'],
  ['[1, 2', 'line 1, column 6: a comma or ] is expected, not the end of the file'],
  ['{} {}', 'line 1, column 4: the end of the file is expected, not {'],
  [String.raw`{ "dataDir": "C:\data" }`, `line 1, column 14: ${wrongText}`],
  ['{ "a": "b\n}', `line 1, column 8: ${wrongText}`],
])('the place of the fault in %j is named', (file, fault) => {
  expect(faultInJson(file)).toBe(fault)
})

test('the same files are JSON as for JSON.parse', () => {
  const file = ' {"a": [1, -0.5e+3, {}, []], "é\\u00e9\\n": null,\n\t"b": {"c": true, "d": "\\"/"}}\r\n'
  const isJson = (changed: string) => {
    try {
      JSON.parse(changed)
      return true
    } catch {
      return false
    }
  }
  expect(faultInJson(file)).toBeUndefined()
  for (let at = 0; at < file.length; at++)
    for (const other of ['', ...'{}[],:"\\ \n\u00011.-+eEx/'])
      for (const length of [0, 1, 2]) {
        const changed = file.slice(0, at) + other + file.slice(at + length)
        expect([changed, faultInJson(changed) === undefined]).toEqual([changed, isJson(changed)])
      }
})

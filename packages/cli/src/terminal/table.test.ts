import { PassThrough } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { expect, test } from 'vitest'
import { printer } from './printer.ts'
import { writeTable } from './table.ts'

/** What a terminal of this width shows of a table. */
function shown(columns: number, rows: readonly (readonly string[])[]): string[] {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns })
  writeTable(printer(stream as unknown as WriteStream), ['JOB', 'COST', 'PROMPT'], rows, ['COST'])
  return String(stream.read()).trimEnd().split('\n')
}

test('a table on a wide terminal has all columns and the whole texts', () => {
  expect(shown(80, [['gen_1', '$1', 'a kite above the sea']])).toEqual([
    'JOB    COST  PROMPT',
    'gen_1  $1    a kite above the sea',
  ])
})

test('a table on a narrow terminal does without its spare columns, and ends a long text at a word', () => {
  expect(shown(28, [['gen_1', '$1', 'a kite above the very wide sea']])).toEqual([
    'JOB    PROMPT',
    'gen_1  a kite above the…',
  ])
})

test('a table counts two columns of the terminal for a Chinese character or an emoji, and cuts none of them in half', () => {
  const rows = [
    ['日本', '$1', 'a'],
    ['gen_1', '$1', '👩‍👩‍👧'.repeat(20)],
  ]
  expect(shown(30, rows)).toEqual(['JOB    PROMPT', '日本   a', `gen_1  ${'👩‍👩‍👧'.repeat(11)}…`])
})

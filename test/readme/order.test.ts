import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'

/** The words that a reader reads before the first example. */
const maxWords = 150

const readmeOf = (name: string) => readFileSync(join(repo, 'packages', name, 'README.md'), 'utf8')

/** What is wrong with the beginning of a README. */
function disorderOf(name: string, readme: string): string[] {
  const lines = readme.split('\n')
  const place = (line: RegExp) => {
    const index = lines.findIndex((text) => line.test(text))
    return index < 0 ? Infinity : index
  }
  const [example, options, table] = [place(/^```(?:ts|tsx|sh|js)$/), place(/^## Options$/), place(/^\|/)]
  const titles = lines.filter((text) => text.startsWith('## '))
  const first = lines.find((text, index) => index > 0 && text !== '') ?? ''
  const words =
    lines
      .slice(1, Math.min(example, options))
      .join(' ')
      .match(/\S*\w\S*/g)?.length ?? 0
  const between = lines.slice(example, options)
  const optionsEnd = lines.findIndex((text, index) => index > options && text.startsWith('## '))
  const optionLines = lines.slice(options, optionsEnd < 0 ? undefined : optionsEnd)
  return [
    [lines[0] !== `# @genmount/${name}`, 'its title is not its name'],
    [!/^(?!```)[A-Z`[]/.test(first), 'what it is for does not come first'],
    [words > maxWords, `${words} words come before the example`],
    [example === Infinity || example > options, 'no example comes before the options'],
    [between.some((text) => text.startsWith('##')), 'a section comes between the example and the options'],
    [titles.indexOf('## Options') > 1, 'more than one section comes before the options'],
    [options === Infinity, 'there is no section Options'],
    [table < example, 'a table comes before the example'],
    [!optionLines.some((text) => /^(?:\||- )/.test(text)), 'the options are no table or list'],
  ].flatMap(([isWrong, words]) => (isWrong ? [`${name}: ${String(words)}`] : []))
}

test('each README of a package says what it is for, then shows an example, then the options', () => {
  const disorder = publishedPackages.flatMap((name) => disorderOf(name, readmeOf(name)))
  expect(disorder).toEqual([])
})

const orderly = [
  '# @genmount/fox',
  '',
  'It paints foxes.',
  '',
  '```ts',
  'fox()',
  '```',
  '',
  '## Options',
  '',
  '| option |',
]

test('a README that begins in this order passes, with or without a section for the example', () => {
  expect(disorderOf('fox', orderly.join('\n'))).toEqual([])
  const sections = [...orderly.slice(0, 4), '## Three minutes', '', ...orderly.slice(4)]
  expect(disorderOf('fox', sections.join('\n'))).toEqual([])
})

test.each<[string, readonly string[]]>([
  ['its title is not its name', ['# Foxes', ...orderly.slice(1)]],
  ['what it is for does not come first', [orderly[0]!, '', ...orderly.slice(4)]],
  ['no example comes before the options', [...orderly.slice(0, 4), ...orderly.slice(8)]],
  ['there is no section Options', orderly.slice(0, 8)],
  ['the options are no table or list', orderly.slice(0, 10)],
  ['a table comes before the example', [...orderly.slice(0, 4), '| option |', '', ...orderly.slice(4)]],
  [
    'a section comes between the example and the options',
    [...orderly.slice(0, 8), '## Foxes', ...orderly.slice(8)],
  ],
  ['151 words come before the example', [...orderly.slice(0, 3), 'word '.repeat(148), ...orderly.slice(3)]],
])('a README is refused of which %s', (fault, lines) => {
  expect(disorderOf('fox', lines.join('\n'))).toContain(`fox: ${fault}`)
})

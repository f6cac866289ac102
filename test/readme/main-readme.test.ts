import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publishedPackages } from '../published-packages.ts'
import { repository } from './code-blocks.ts'

const readme = readFileSync(join(repository, 'README.md'), 'utf8')

test('the main README is read in a few minutes: it has less than 250 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThan(250)
})

test('the main README begins with what genmount is, two commands to try it, and the picture of its page', () => {
  const [opening = ''] = readme.split(/^## /m)
  expect(opening).toMatch(
    /^# genmount\n\n[^\n]+\n\n```sh\nnpm ci && npm run demo .*\nnpm ci && npm test .*\n```\n/,
  )
  expect(opening).toContain('](packages/playground/pictures/playground.webp)')
})

test('the tables of the main README have every package that is published', () => {
  const missing = publishedPackages.filter(
    (name) => !readme.includes(`| [\`@genmount/${name}\`](packages/${name}) `),
  )
  expect(missing).toEqual([])
})

test('the main README names every Debian package that the tests need', () => {
  const script = readFileSync(join(repository, '.ci/run'), 'utf8')
  const needed = [...script.matchAll(/missing\+=\(([^)]+)\)/g)].flatMap(([, names = '']) => names.split(' '))
  expect(needed.length).toBeGreaterThan(5)
  expect(needed.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

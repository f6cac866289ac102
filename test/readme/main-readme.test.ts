import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'

const readme = readFileSync(join(repo, 'README.md'), 'utf8')

test('the main README has less than 250 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThan(250)
})

test('the main README begins with what genmount is, the commands for demo and tests, and a picture of the playground', () => {
  const [opening = ''] = readme.split(/^## /m)
  expect(opening).toMatch(
    /^# genmount\n\n[^\n]+\n\n```sh\nnpm ci && npm run demo .*\nnpm ci && npm test .*\n```\n/,
  )
  expect(opening).toContain('](packages/playground/pictures/playground.webp)')
})

test('the tables of the main README name every published package', () => {
  const missing = publishedPackages.filter(
    (name) => !readme.includes(`| [\`@genmount/${name}\`](packages/${name}) `),
  )
  expect(missing).toEqual([])
})

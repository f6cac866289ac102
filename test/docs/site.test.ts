import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../../packages/docs/src/site-map.ts'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'
import { readmes } from '../readme/code-blocks.ts'

// The deep suite builds the site.
test('the site has a page for each published package, and each page has a title and text', () => {
  const places = [...pages().values()]
  for (const name of publishedPackages) expect(places).toContain(`packages/${name}.md`)
  for (const file of pages().keys()) {
    const text = readFileSync(join(repo, file), 'utf8')
    expect(text, file).toMatch(/^# .*\w/m)
    // The site makes the rest of the shortest page from the OpenAPI document.
    expect(text.length, file).toBeGreaterThan(200)
  }
})

test('each page of the site that shows code is among the pages whose code is checked or run', () => {
  const unchecked = [...pages().keys()].filter((file) => !readmes.includes(file))
  const showCode = unchecked.filter((file) => /^ *```/m.test(readFileSync(join(repo, file), 'utf8')))
  expect(unchecked.length).toBeGreaterThan(5)
  expect(showCode).toEqual([])
})

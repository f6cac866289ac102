import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'

const pages = [
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...globSync('.github/decisions/*.md', { cwd: repo }),
]
const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))

const folders = '(?:packages|test|examples|\\.github|\\.ci|\\.changeset)'
/** What stands in code and is neither written by it (`> file`) nor a name to fill in, such as `packages/provider-<name>`. */
const paths = new RegExp(`(?<![\\w./<-]|> )${folders}/[\\w.*/-]*[\\w*](?![\\w/*.-]*<)`, 'g')

function named(page: string) {
  const text = readFileSync(join(repo, page), 'utf8')
  const code = [...text.matchAll(/```\w*\n[^]*?```|`[^`\n]+`/g)].map(([block]) => block).join('\n')
  return {
    paths: [...code.matchAll(paths)].map(([path]) => path),
    links: [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^\w+:/.test(link)),
    scripts: [...code.matchAll(/npm (?:run (?:-s )?)?([\w:]+)/g)]
      .filter(([words, script = '']) => words.includes('run') || scripts[script] !== undefined)
      .map(([, script = '']) => script),
  }
}

test('CONTRIBUTING.md names paths and scripts, and there are at least nine pages of decisions', () => {
  expect(pages.length).toBeGreaterThanOrEqual(2 + 9)
  expect(named('.github/CONTRIBUTING.md').paths.length).toBeGreaterThan(20)
  expect(named('.github/CONTRIBUTING.md').scripts).toContain('test:one')
})

describe.each(pages)('the page %s', (page) => {
  test('names only paths that exist', () => {
    const missing = named(page).paths.filter((path) => globSync(path, { cwd: repo }).length === 0)
    expect(missing).toEqual([])
  })

  test('links only to pages that exist', () => {
    const missing = named(page).links.filter((link) => !existsSync(join(repo, dirname(page), link)))
    expect(missing).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    expect(named(page).scripts.filter((script) => scripts[script] === undefined)).toEqual([])
  })
})

test('CONTRIBUTING.md links every decision, and each has a date, its costs and when to think again', () => {
  const { links } = named('.github/CONTRIBUTING.md')
  for (const page of pages.filter((path) => path.includes('/decisions/'))) {
    expect(links).toContain(page.replace('.github/', ''))
    const text = readFileSync(join(repo, page), 'utf8')
    expect(text).toMatch(/^# .+\n\nDecided in \d{4}-\d{2}\.\n/)
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'The question',
      'What was decided',
      'Why',
      'What it costs',
      'When to think again',
    ])
  }
})

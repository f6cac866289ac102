import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readmes, repository } from './code-blocks.ts'

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(readmes)(
  'each link of %s within the repository leads to a file, and to a heading of it',
  (readme) => {
    const page = join(repository, readme)
    const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)
    const dead = [...links].filter(([, path = '', anchor]) => {
      const target = path === '' ? page : resolve(page, '..', path)
      if (!existsSync(target)) return true
      if (anchor === undefined) return false
      const heading = statSync(target).isDirectory() ? join(target, 'README.md') : target
      return !anchorsOf(heading).includes(anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  },
)

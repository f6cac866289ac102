import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { headingsOf } from '../../packages/docs/src/markdown/headings.ts'
import { repo } from '../processes/repo.ts'
import { readmes } from './code-blocks.ts'

test.each(readmes)(
  'each link in %s to a file of this repository leads to a file and heading that exist',
  (readme) => {
    const page = join(repo, readme)
    const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)
    const dead = [...links].filter(([, path = '', anchor]) => {
      const target = path === '' ? page : resolve(page, '..', path)
      if (!existsSync(target)) return true
      if (anchor === undefined) return false
      const heading = statSync(target).isDirectory() ? join(target, 'README.md') : target
      return !headingsOf(readFileSync(heading, 'utf8')).some((its) => its.anchor === anchor)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  },
)

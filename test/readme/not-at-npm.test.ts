import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { readmes } from './code-blocks.ts'

const textOf = (file: string) => readFileSync(join(repo, file), 'utf8')
const saysSo = (file: string) => /not\s+at\s+npm\s+yet/.test(textOf(file))
/** The texts whose readers run a program of ours with npx, which asks npm for it, and have installed nothing before. */
const withNpx = readmes.filter(
  (file) => /npx @genmount\//.test(textOf(file)) && !/npm install @genmount\//.test(textOf(file)),
)

test('as long as the README says that the packages are not at npm yet, so does each text that lets readers run them with npx, and afterwards none', () => {
  expect(withNpx).toEqual(expect.arrayContaining(['README.md', 'packages/cli/README.md']))
  const isAtNpm = !saysSo('README.md')
  const others = readmes.filter((file) => file !== 'README.md' && file !== '.github/CONTRIBUTING.md')
  expect(others.filter(saysSo)).toEqual(isAtNpm ? [] : withNpx.filter((file) => others.includes(file)))
})

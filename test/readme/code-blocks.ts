import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface CodeBlock {
  /** The README in which it is, as a path from the root of the repository. */
  readonly readme: string
  /** The line of the README on which its code begins, counted from 1. */
  readonly line: number
  readonly code: string
}

/** The pages that people read before they use the packages or work on them. */
export const readmes = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    '.github/CONTRIBUTING.md',
    'packages/*/{README,PRODUCTION}.md',
    'packages/docs/pages/*.md',
    'examples/*/README.md',
  ],
  { cwd: repository },
).toSorted()

/**
 * Files that a README shows whole, by their text: of `test/projects`, which its test builds and runs from packed packages,
 * and one that its test runs in a bucket.
 */
export const recipes: ReadonlyMap<string, string> = new Map(
  globSync(['test/projects/*/**/*.ts', 'test/files-s3/own-bucket.ts'], { cwd: repository }).map((file) => [
    readFileSync(join(repository, file), 'utf8'),
    file.replace('test/projects/', ''),
  ]),
)

/** All fenced blocks of the READMEs in one of these languages, without the indentation of the list that they are in. */
export function codeBlocks(...languages: string[]): CodeBlock[] {
  return readmes.flatMap((readme) => {
    const text = readFileSync(join(repository, readme), 'utf8')
    return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)]
      .filter(([, , language = '']) => languages.includes(language))
      .map(({ 1: indentation = '', 3: code = '', index }) => ({
        readme,
        line: text.slice(0, index).split('\n').length + 1,
        code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
      }))
  })
}

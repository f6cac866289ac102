import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repo } from '../processes/repo.ts'

/** The pages that people read before they use the packages or work on them, as paths from the root of the repository. */
export const readmes = globSync(
  [
    'README.md',
    'CONTRIBUTING.md',
    '.github/CONTRIBUTING.md',
    'packages/*/{README,PRODUCTION}.md',
    'packages/docs/pages/*.md',
    'examples/*/README.md',
  ],
  { cwd: repo },
).toSorted()

/**
 * Files that a README shows whole, by their text: of `test/projects`, which its test builds and runs from packed packages,
 * one that its test runs in a bucket, and one that its test runs in workerd.
 */
export const recipes: ReadonlyMap<string, string> = new Map(
  globSync(
    ['test/projects/*/**/*.ts', 'test/files-s3/own-bucket.ts', 'test/workerd/owner-objects/worker.ts'],
    { cwd: repo },
  ).map((file) => [readFileSync(join(repo, file), 'utf8'), file.replace('test/projects/', '')]),
)

/**
 * All fenced blocks of the READMEs in one of these languages, without the indentation of the list that they are in, each with
 * its README and the line on which its code begins, counted from 1.
 */
export function codeBlocks(...languages: string[]) {
  return readmes.flatMap((readme) => {
    const text = readFileSync(join(repo, readme), 'utf8')
    return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)]
      .filter(([, , language = '']) => languages.includes(language))
      .map(({ 1: indentation = '', 3: code = '', index }) => ({
        readme,
        line: text.slice(0, index).split('\n').length + 1,
        code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
      }))
  })
}

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../../..')

/** Where a build writes down of which sources it is. Whoever removes all folders `dist` removes it too. */
const recordIn = (root: string) => join(root, 'packages/release/dist/built-sources.sha256')

/** The hash of all files that a build can depend on. */
function sourcesHash(root: string): string {
  const sources = globSync('packages/*/{package.json,types.json,src/**/*.*}', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  })
  const hash = createHash('sha256')
  for (const file of ['tsconfig.json', 'package-lock.json', ...sources.toSorted()])
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n')
  return hash.digest('hex')
}

/** Whether the last build has ended well and was of the sources as they are now. */
export function isBuilt(root = repository): boolean {
  const record = recordIn(root)
  return existsSync(record) && readFileSync(record, 'utf8') === sourcesHash(root)
}

/** Runs a build, and writes down of which sources it is if it ends well. */
export async function recordBuild(build: () => Promise<void>, root = repository): Promise<void> {
  const record = recordIn(root)
  rmSync(record, { force: true })
  const sources = sourcesHash(root)
  await build()
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, sources)
}

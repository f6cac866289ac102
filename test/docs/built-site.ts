import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { served } from '../served.ts'

const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))

/** Where the site is. */
export const siteFolder = join(repo, 'packages/docs/dist/site')

/** Builds the site with the command of `npm run docs`, as on a machine that is none of GitHub's. */
export async function buildSite(): Promise<void> {
  const [, ...args] = (scripts.docs as string).split(' ')
  await outputOf([runtimes.node[0], ...args], { timeoutMs: 300_000 })
}

/** The files of the site with one of these endings, as paths from its folder, with their texts. */
export function filesOf(...endings: string[]): (readonly [path: string, text: string])[] {
  return globSync(`**/*.{${endings.join()},}`, { cwd: siteFolder })
    .toSorted()
    .map((path) => [path, readFileSync(join(siteFolder, path), 'utf8')])
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

/** @returns the origin of a plain server of files that serves the site until the test has ended */
export function servedSite(): Promise<string> {
  return served((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site')
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    try {
      const bytes = readFileSync(join(siteFolder, decodeURIComponent(path)))
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
}

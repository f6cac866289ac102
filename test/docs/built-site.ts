import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { runtimes } from '../processes/runtimes.ts'
import { served } from '../served.ts'

const repo = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))

/** Where the site is. */
export const siteFolder = join(repo, 'packages/docs/dist/site')

/** Builds the site with the command of `npm run docs`, as on a machine that is none of GitHub's. */
export async function buildSite(env: NodeJS.ProcessEnv = {}): Promise<void> {
  const [node] = runtimes.node
  const args = (scripts.docs as string).split(' ').slice(1)
  const { GITHUB_SERVER_URL: _, GITHUB_REPOSITORY: __, ...own } = process.env
  await promisify(execFile)(node, args, { cwd: repo, env: { ...own, ...env } })
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

import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { makePage } from './make-page.ts'
import { referencePage } from './openapi/reference-page.ts'
import { servedDocument } from './openapi/served-document.ts'
import { pages, repository } from './site-map.ts'

/**
 * The folder of the build: VitePress reads `pages` in it and writes `site`. The first argument of the program names
 * another one, which must be in this repository, where the pages find the modules of VitePress.
 */
const dist = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)))

/**
 * Builds the site into the folder `site` of the build, `packages/docs/dist/site` by default.
 * @throws Error when a link leads nowhere
 */
async function buildSite(): Promise<void> {
  const project = join(dist, 'pages')
  for (const name of ['pages', 'site', 'cache']) rmSync(join(dist, name), { recursive: true, force: true })
  const source = sourceAddress()
  for (const [file, page] of pages()) {
    const path = join(project, page)
    const text = readFileSync(join(repository, file), 'utf8')
    write(path, makePage(file, text, { root: relative(dirname(path), repository), source }))
  }
  const document = await servedDocument()
  appendFileSync(join(project, 'openapi.md'), `\n${referencePage(document)}\n`)
  write(join(project, 'public/openapi.json'), JSON.stringify(document))
  const src = fileURLToPath(new URL('.', import.meta.url))
  write(
    join(project, '.vitepress/config.ts'),
    `export { siteConfig as default } from '${src}site-config.ts'\n`,
  )
  write(
    join(project, '.vitepress/theme/index.ts'),
    `export { default } from 'vitepress/theme-without-fonts'\nimport '${src}theme.css'\n`,
  )
  await build(project)
  console.log(
    `The site is in ${relative('', join(dist, 'site'))}. To look at it: npx vitepress preview ${relative('', project)}`,
  )
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The address of this commit's files at GitHub, if a GitHub workflow builds the site. `undefined` otherwise. */
function sourceAddress(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path, GITHUB_SHA: commit = 'main' } = process.env
  return server && path ? `${server}/${path}/blob/${commit}` : undefined
}

await buildSite()

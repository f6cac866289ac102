import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { headingsOf, sectionOf } from './markdown/headings.ts'
import { includeLine, pages, repository } from './site-map.ts'

/** Where a link leads. */
export interface LinkTarget {
  /** The file, as a path from the root of the repository. A link to a folder leads to its README, as on GitHub. */
  readonly target: string
  /** Its page and anchor, as a link that VitePress checks; `undefined` if the site has no such page. */
  readonly page: string | undefined
}

/**
 * Follows a link of a Markdown file. The main README is not a page of the site. A link to one of its sections leads to
 * the page that includes the section, and any other link to it leads to the front page.
 * @param file the file that has the link, as a path from the root of the repository
 * @throws Error when the link leads nowhere
 */
export function targetOf(file: string, path: string, anchor: string): LinkTarget {
  const target = path === '' ? file : readmeOf(normalize(join(dirname(file), path)).replace(/\/$/, ''))
  if (!existsSync(join(repository, target))) throw new Error(`${file} links to ${path}, which is not there`)
  if (target === 'README.md') {
    const includer = includers().get(anchor)
    return { target, page: `/${(includer && pages().get(includer)) ?? 'index.md'}` }
  }
  const page = pages().get(target)
  if (page === undefined) return { target, page }
  if (anchor !== '' && !anchorsOf(target).has(anchor))
    throw new Error(`${file} links to #${anchor} of ${target}, which is not there`)
  return { target, page: `/${page}${anchor && `#${anchor}`}` }
}

function readmeOf(path: string): string {
  const full = join(repository, path)
  const isFolder = existsSync(full) && statSync(full).isDirectory()
  return isFolder && existsSync(join(full, 'README.md')) ? join(path, 'README.md') : path
}

/** The anchors of a page, including those of its included sections. */
function anchorsOf(file: string): ReadonlySet<string> {
  const textOf = (path: string) => readFileSync(join(repository, path), 'utf8')
  const whole = textOf(file).replaceAll(
    includeLine,
    (_, path, anchor) => sectionOf(textOf(join(dirname(file), path)), anchor) ?? '',
  )
  return new Set(headingsOf(whole).map(({ anchor }) => anchor))
}

/** The files that include a section of the main README, by the anchor of the section. */
function includers(): ReadonlyMap<string, string> {
  const targets = [...pages().keys()].flatMap((file) =>
    [...readFileSync(join(repository, file), 'utf8').matchAll(includeLine)]
      .filter(([, path = '']) => join(dirname(file), path) === 'README.md')
      .map(([, , anchor = '']) => [anchor, file] as const),
  )
  return new Map(targets)
}

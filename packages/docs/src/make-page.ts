import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sectionOf } from './markdown/headings.ts'
import { mapLinks } from './markdown/map-links.ts'
import { targetOf } from './link-target.ts'
import { includeLine, repository } from './site-map.ts'

/** What a page needs to know of the site. */
export interface PageSurroundings {
  /** The root of the repository as seen from the page, for pictures. */
  readonly root: string
  /**
   * The address before the path of a file that is no page of the site, such as a source. Without it, the text of a link to
   * such a file is shown without a link.
   */
  readonly source?: string | undefined
}

/**
 * Makes a page of the site from a Markdown file of the repository: with the sections that it includes, and with links that
 * lead where their targets are on the site.
 * @param file where the text is from, as a path from the root of the repository
 * @throws Error when a link leads nowhere, or an included section is not there
 */
export function makePage(file: string, text: string, surroundings: PageSurroundings): string {
  const parts: string[] = []
  let end = 0
  for (const { 0: line, 1: path = '', 2: anchor = '', index } of text.matchAll(includeLine)) {
    const from = join(dirname(file), path)
    const section = sectionOf(readFileSync(join(repository, from), 'utf8'), anchor)
    if (section === undefined) throw new Error(`${file} includes ${path}#${anchor}, which is not there`)
    parts.push(withLinks(text.slice(end, index), file, surroundings), withLinks(section, from, surroundings))
    end = index + line.length
  }
  return parts.join('') + withLinks(text.slice(end), file, surroundings)
}

function withLinks(markdown: string, file: string, { root, source }: PageSurroundings): string {
  return mapLinks(markdown, ({ text, path, anchor, isPicture }) => {
    const { target, page } = targetOf(file, path, anchor)
    if (isPicture) return `![${text}](${root}/${target})`
    if (page !== undefined) return `[${text}](${page})`
    return source === undefined ? text : `[${text}](${source}/${target})`
  })
}

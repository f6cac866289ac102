import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sectionOf } from './markdown/headings.ts'
import { mapLinks } from './markdown/map-links.ts'
import { targetOf } from './link-target.ts'
import { includeLine, pages, repository } from './site-map.ts'

/** What the function needs to know about the site. */
export interface PageSurroundings {
  /** The root of the repository as seen from the page, for pictures. */
  readonly root: string
  /**
   * The address before the path of a file that is not a page of the site, such as a source file. Without this address,
   * a link to such a file is shown as plain text.
   */
  readonly source?: string | undefined
}

/** Comments around a section that a page includes from another page of the site. */
const [searchedElsewhere, searchedAgain] = ['<!-- searched on its own page -->', '<!-- searched here -->']

/**
 * Makes a page of the site from a Markdown file of the repository. It inserts the included sections, and points links
 * at the places of their targets on the site.
 * @param file the file that contains the text, as a path from the root of the repository
 * @throws Error when a link leads nowhere, or an included section does not exist
 */
export function makePage(file: string, text: string, surroundings: PageSurroundings): string {
  const parts: string[] = []
  let end = 0
  for (const { 0: line, 1: path = '', 2: anchor = '', index } of text.matchAll(includeLine)) {
    const from = join(dirname(file), path)
    const section = sectionOf(readFileSync(join(repository, from), 'utf8'), anchor)
    if (section === undefined) throw new Error(`${file} includes ${path}#${anchor}, which is not there`)
    const included = withLinks(section, from, surroundings)
    parts.push(
      withLinks(text.slice(end, index), file, surroundings),
      pages().has(from) ? `${searchedElsewhere}\n\n${included}\n\n${searchedAgain}` : included,
    )
    end = index + line.length
  }
  return parts.join('') + withLinks(text.slice(end), file, surroundings)
}

/**
 * What the search of the site finds on a page: all but the sections that it includes from other pages of the site, on which
 * the search finds them, and the headings that have no other text.
 */
export function searchedText(page: string): string {
  const included = `${searchedElsewhere}(?:(?!${searchedAgain})[^])*${searchedAgain}`
  return page
    .replaceAll(new RegExp(`^##+ .*\\n\\n${included}\\n*(?=#|$(?![^]))`, 'gm'), '')
    .replaceAll(new RegExp(included, 'g'), '')
}

function withLinks(markdown: string, file: string, { root, source }: PageSurroundings): string {
  return mapLinks(markdown, ({ text, path, anchor, isPicture }) => {
    const { target, page } = targetOf(file, path, anchor)
    if (isPicture) return `![${text}](${root}/${target})`
    if (page !== undefined) return `[${text}](${page})`
    return source === undefined ? text : `[${text}](${source}/${target})`
  })
}

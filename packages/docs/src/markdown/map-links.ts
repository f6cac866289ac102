/** A link or a picture of a Markdown page, without those that lead to other sites. */
export interface PageLink {
  /** What is shown; of a picture, what it shows. */
  readonly text: string
  /** A path from the page that has the link, or empty. */
  readonly path: string
  /** The anchor, without `#`, or empty. */
  readonly anchor: string
  readonly isPicture: boolean
}

/**
 * Puts something else in the place of each link and each picture of a page. Code stays as it is, and so do links to other
 * sites.
 */
export function mapLinks(markdown: string, replaced: (link: PageLink) => string): string {
  const codeOrLink =
    /^( *)```.*?^\1```$|`[^`\n]+`(?!\]\()|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?!\w+:)[^)#\s]*)(?:#([^)\s]+))?\)/gms
  return markdown.replaceAll(codeOrLink, (found, _indentation, mark, text, path, anchor = '') =>
    text === undefined ? found : replaced({ text, path, anchor, isPicture: mark === '!' }),
  )
}

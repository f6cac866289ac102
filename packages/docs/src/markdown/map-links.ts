/** A link or a picture of a Markdown page that does not lead to another site. */
export interface PageLink {
  /** The text of the link, or the description of the picture. */
  readonly text: string
  /** A path from the page that has the link, or empty. */
  readonly path: string
  /** The anchor, without `#`, or empty. */
  readonly anchor: string
  readonly isPicture: boolean
}

/** Replaces each link and each picture of a page. Code and links to other sites stay unchanged. */
export function mapLinks(markdown: string, replaced: (link: PageLink) => string): string {
  const codeOrLink =
    /^( *)```.*?^\1```$|`[^`\n]+`(?!\]\()|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?!\w+:)[^)#\s]*)(?:#([^)\s]+))?\)/gms
  return markdown.replaceAll(codeOrLink, (match, _indentation, mark, text, path, anchor = '') =>
    text === undefined ? match : replaced({ text, path, anchor, isPicture: mark === '!' }),
  )
}

/** A heading of a Markdown page, outside of code. */
export interface Heading {
  /** How many `#` it has. */
  readonly level: number
  readonly text: string
  /** The anchor for links to the heading, as GitHub makes it. */
  readonly anchor: string
  /** Where its line begins and ends in the text of the page. */
  readonly start: number
  readonly end: number
}

/** The anchor that GitHub gives the first heading of this text. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** The headings of a page, in their order. */
export function headingsOf(markdown: string): Heading[] {
  const blanked = markdown.replaceAll(/^( *)```.*?^\1```$/gms, (code) => code.replaceAll('#', ' '))
  return [...blanked.matchAll(/^(#+) (.+)$/gm)].map(({ 0: line, 1: marks = '', 2: text = '', index }) => ({
    level: marks.length,
    text,
    anchor: anchorOf(text),
    start: index,
    end: index + line.length,
  }))
}

/**
 * The section below a heading. It ends at the next heading of the same or a higher level; below the title of a page, it
 * ends at the next heading of any level. A line `<!-- more -->` ends it earlier: the text after that line links to the
 * page that includes the section.
 * @returns `undefined` when the page has no such heading
 */
export function sectionOf(markdown: string, anchor: string): string | undefined {
  const headings = headingsOf(markdown)
  const index = headings.findIndex((heading) => heading.anchor === anchor)
  const heading = headings[index]
  if (heading === undefined) return undefined
  const next = headings.slice(index + 1).find(({ level }) => heading.level === 1 || level <= heading.level)
  const [section = ''] = markdown.slice(heading.end, next?.start).split('<!-- more -->')
  return section.trim()
}

/** A file of the site: its path and its text. */
type SiteFile = readonly [path: string, text: string]

const loads =
  /<(?:script|img|link|iframe|source|video|audio)[^>]*?(?:src|href|srcset)="((?:https?:)?\/\/[^"]+)"/g
const styles = /(?:url\(|@import)\s*["']?((?:https?:)?\/\/[^"')]+)/g
const pictures = /!\[[^\]]*\]\(((?:https?:)?\/\/[^)]+)/g

const found =
  (pattern: RegExp) =>
  ([path, text]: SiteFile): string[] =>
    [...text.matchAll(pattern)].map(([, url]) => `${path}: ${url}`)

/** The elements of a page that load from another origin. */
export const loadsFromElsewhere = found(loads)

/** The styles that load from another origin. */
export const styledFromElsewhere = found(styles)

/** The pictures of a Markdown page that are at another origin. */
export const picturesFromElsewhere = found(pictures)

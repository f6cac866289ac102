/** What Markdown has in the brackets after the words of a link, and HTML in `src`. */
const marked = /(?:\]\(\s*<?|\bsrc\s*=\s*["']?)([^\s"'<>]+)/gi
const bare = /((?:https?:\/\/|data:(?:image|video)\/)[^\s"'<>`，。、；！？（）《》「」【】]+)/gi

/**
 * The links in a text, in its order and each once: bare, or as Markdown and HTML write them.
 * @param withBare whether bare links count. A sentence may also mention a picture that is no output
 * @example linksIn('Here: ![fox](https://cdn.example.com/fox.png).', false) // ['https://cdn.example.com/fox.png']
 */
export function linksIn(text: string, withBare: boolean): readonly string[] {
  const patterns = withBare ? [marked, bare] : [marked]
  const matches = patterns.flatMap((pattern) => [...text.matchAll(pattern)])
  const links = matches
    .map((match) => ({ link: match[1]!, at: match.index + match[0].length - match[1]!.length }))
    .toSorted((one, other) => one.at - other.at)
    // `[https://a](https://b)` is one text without blanks.
    .flatMap(({ link }) => link.split(']('))
    .map((link) => withoutEnd(link).replaceAll('&amp;', '&'))
  return [...new Set(links)].filter((link) => link !== '')
}

/** The link without what belongs to the sentence around it. A bracket belongs to the link if it is opened there. */
function withoutEnd(link: string): string {
  let unopened = link.split(')').length - link.split('(').length
  let end = link.length
  for (; end > 0; end--) {
    const last = link[end - 1]!
    if (last === ')' && unopened > 0) unopened--
    else if (!'.,;:!?*|]}'.includes(last)) break
  }
  return link.slice(0, end)
}

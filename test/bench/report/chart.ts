import type { Bar } from '../bench.ts'

const width = 760
const labelWidth = 300
const valueWidth = 56
const rowHeight = 26
const barHeight = 16
const headingHeight = 44
const margin = 20

/**
 * The colours follow the light or dark scheme of the reader. The background is painted, so that the text is
 * readable on any page.
 */
const style = `
  :root { color-scheme: light dark }
  text { font: 13px system-ui, sans-serif; fill: light-dark(#24292f, #e6edf3) }
  .ground { fill: light-dark(#ffffff, #0d1117); stroke: light-dark(#d0d7de, #30363d) }
  .heading { font-weight: 600 }
  .value { font-weight: 600; stroke: light-dark(#ffffff, #0d1117); stroke-width: 5px; stroke-linejoin: round; paint-order: stroke }
  .ours { fill: light-dark(#0969da, #4493f8) }
  .theirs { fill: light-dark(#afb8c1, #6e7681) }
  .one { stroke: light-dark(#57606a, #9198a1); stroke-dasharray: 3 3 }
`

/** The bars in their groups as SVG. A line in each group marks the peer, whose figure is 1. */
export function chart(bars: readonly Bar[], caption: string): string {
  const scale =
    (width - labelWidth - valueWidth - 2 * margin) / Math.max(1, ...bars.map(({ value }) => value))
  const left = margin + labelWidth
  const parts: string[] = []
  let y = margin
  for (const [heading, group] of Map.groupBy(bars, (bar) => bar.group)) {
    parts.push(text(margin, y + 24, heading, 'heading'))
    y += headingHeight
    const top = y
    const values: string[] = []
    for (const { label, value, isOurs } of group) {
      const middle = y + barHeight - 3
      parts.push(
        text(left - 10, middle, label, '', 'end'),
        `<rect class="${isOurs ? 'ours' : 'theirs'}" x="${left}" y="${y}" width="${(value * scale).toFixed(1)}" height="${barHeight}" rx="2"/>`,
      )
      values.push(text(left + value * scale + 8, middle, value.toFixed(2), 'value'))
      y += rowHeight
    }
    const one = (left + scale).toFixed(1)
    // The figures are drawn last, so that the line does not cover them.
    parts.push(`<line class="one" x1="${one}" x2="${one}" y1="${top - 6}" y2="${y - 4}"/>`, ...values)
  }
  parts.push(text(margin, y + 24, caption))
  const height = y + 24 + margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(caption)}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

function text(x: number, y: number, content: string, className = '', anchor = 'start'): string {
  const kind = className && ` class="${className}"`
  return `<text${kind} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

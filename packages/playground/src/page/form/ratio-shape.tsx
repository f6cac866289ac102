/** The longer side of the shape, in units of the drawing. */
const side = 12

/** A small drawing of an aspect ratio such as `16:9`. Any other text has no drawing. */
export function RatioShape({ ratio }: { ratio: string }) {
  const [width = 0, height = 0] = ratio.split(':').map(Number)
  if (!(width > 0 && height > 0)) return null
  const scale = side / Math.max(width, height)
  const [w, h] = [Math.max(2, width * scale), Math.max(2, height * scale)]
  return (
    <svg class="ratio" viewBox="0 0 16 16" aria-hidden="true">
      <rect x={8 - w / 2} y={8 - h / 2} width={w} height={h} rx="1.5" />
    </svg>
  )
}

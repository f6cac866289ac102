import sharp from 'sharp'

const spokes = Array.from({ length: 12 }, (_, i) => {
  const [x, y] = [120 + 105 * Math.cos((i * Math.PI) / 6), 120 + 105 * Math.sin((i * Math.PI) / 6)]
  return `<path d="M120 120 L${x} ${y}" stroke="${['#c33', '#26a', '#283', '#333'][i % 4]}" stroke-width="${2 + (i % 3)}"/>`
})

/** Lines in all directions, a ring, a disc and a tilted rectangle: a picture of edges. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240">
  <rect width="240" height="240" fill="#f4efe4"/>${spokes.join('')}
  <circle cx="120" cy="120" r="60" fill="none" stroke="#111" stroke-width="5"/>
  <circle cx="60" cy="180" r="26" fill="#e80"/>
  <rect x="150" y="20" width="60" height="40" transform="rotate(20 180 40)" fill="#247"/>
</svg>`

/**
 * The drawing at full size, 240 pixels a side, or scaled down from that.
 * @returns it as RGB, three bytes a pixel, and as what clients send
 */
export async function drawing(side = 240) {
  const scaled = sharp(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()).resize(side, side)
  const png = await scaled.clone().png().toBuffer()
  return {
    pixels: await scaled.raw().toBuffer(),
    dataUri: `data:image/png;base64,${png.toString('base64')}`,
  }
}

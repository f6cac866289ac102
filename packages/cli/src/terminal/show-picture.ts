import type { Environment } from '../vendors/environment.ts'
import type { WriteStream } from 'node:tty'
import { createSupportsTerminalGraphics } from 'supports-terminal-graphics'
import { sixel } from './sixel.ts'

/** The longest side of a picture on the terminal, in pixels. */
const maxSide = 640

/**
 * The characters that make a terminal show a picture, in the protocol of kitty or iTerm2, or as sixels.
 * The server is a stranger: no SVG is drawn, and no file whose decoding costs more than its pixels.
 * @returns an empty string if the terminal can't show pictures, or the picture is no PNG, JPEG, WebP or GIF that can be
 *   decoded
 */
export async function showPicture(
  stdout: WriteStream,
  env: Environment,
  picture: Uint8Array,
): Promise<string> {
  // Tmux and screen do not pass pictures on to the terminal by default.
  if (!stdout.isTTY || env['TMUX'] || env['STY'] || env['TERM'] === 'dumb') return ''
  const can = createSupportsTerminalGraphics(stdout)
  if (!can.kitty && !can.iterm2 && !can.sixel) return ''
  try {
    const { checkPicture } = await import('@genmount/provider-kit/workers')
    checkPicture('picture', picture)
    const { default: sharp } = await import('sharp')
    const shrunk = sharp(picture)
      .timeout({ seconds: 5 })
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    if (can.kitty) return kitty(await shrunk.png().toBuffer())
    if (can.iterm2) return iterm2(await shrunk.png().toBuffer())
    const { data, info } = await shrunk.flatten().removeAlpha().raw().toBuffer({ resolveWithObject: true })
    return `${sixel(data, info.width, info.height)}\n`
  } catch {
    // The file was written, and its name is printed in any case.
    return ''
  }
}

/** https://sw.kovidgoyal.net/kitty/graphics-protocol: at most 4,096 bytes of base64 at a time. */
function kitty(png: Buffer): string {
  const pieces = png.toString('base64').match(/.{1,4096}/g) ?? []
  return `${pieces
    .map((piece, index) => {
      const more = index < pieces.length - 1 ? 1 : 0
      return `\x1b_G${index === 0 ? 'a=T,f=100,q=2,' : ''}m=${more};${piece}\x1b\\`
    })
    .join('')}\n`
}

/** https://iterm2.com/documentation-images.html */
function iterm2(png: Buffer): string {
  return `\x1b]1337;File=inline=1;size=${png.length};preserveAspectRatio=1:${png.toString('base64')}\x07\n`
}

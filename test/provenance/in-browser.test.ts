// @module-tag needs/chromium needs/ffmpeg
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openContext, servedPage, shows } from '../browsers/open-page.ts'
import { outputOf } from '../processes/run-program.ts'
import { served } from '../served.ts'
import { programPath } from '../suite/system-needs.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { storedFile } from './marking-world.ts'

const formats = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const
const films = {
  'film.mp4': [],
  'fast-start.mp4': ['-movflags', '+faststart'],
  'fragmented.mp4': ['-movflags', 'frag_keyframe+empty_moov'],
  'film.mov': [],
} as const

async function pictures(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const blank = () =>
    sharp({
      create: { width: 32, height: 24, channels: 4, background: '#0808' },
    })
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="24"><rect width="9" height="9"/></svg>\n'
  const drawn = formats.map(
    async (format) => [format, new Uint8Array(await blank().toFormat(format).toBuffer())] as const,
  )
  return [...(await Promise.all(drawn)), ['svg+xml', new TextEncoder().encode(drawing)] as const]
}

async function madeFilms(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const folder = temporaryFolder()
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=0.6']
  const outputs = Object.entries(films).flatMap(([name, options]) => [
    '-map',
    '0:v',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    ...options,
    join(folder, name),
  ])
  await outputOf([programPath('ffmpeg'), '-v', 'error', ...source, ...outputs])
  return Object.keys(films).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const)
}

test('Chromium shows each marked picture and plays each marked film', async () => {
  const files = [...(await pictures()), ...(await madeFilms())]
  const marked = await Promise.all(
    files.map(async ([name, bytes]) => [name, (await storedFile(bytes)).bytes] as const),
  )
  const origin = await served((request, response) => {
    const [name = '', bytes] = marked.find(([one]) => request.url === `/${one}`) ?? []
    const type = name.includes('.') ? 'video/mp4' : `image/${name}`
    response.writeHead(bytes ? 200 : 404, { 'content-type': type }).end(bytes)
  })
  const page = await (await openContext()).newPage()
  await page.goto(await servedPage())
  for (const [index, [name, bytes]] of marked.entries()) {
    expect(bytes.byteLength, name).toBeGreaterThan(files[index]![1].byteLength)
    expect([name, await shows(page, name.includes('.') ? 'video' : 'img', `${origin}/${name}`)]).toEqual([
      name,
      true,
    ])
  }
})

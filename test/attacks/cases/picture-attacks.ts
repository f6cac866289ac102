import sharp from 'sharp'
import type { Attack, Target } from '../attack.ts'
import {
  jpegOfScans,
  pngText,
  pngWith,
  repeated,
  webpOfFrames,
} from '../../slow-pictures/hostile-pictures.ts'
import { create } from '../connections.ts'

/** A PNG of 39 million pixels in 114 kB. */
async function blackPng(): Promise<string> {
  const create = { width: 6500, height: 6000, channels: 3, background: 'black' } as const
  const bytes = await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** Creates this many jobs at the same time that edit the picture. */
async function jobsWith({ onEach, over }: Target, jobs: number, type: string, file: Buffer): Promise<void> {
  const image = `data:image/${type};base64,${file.toString('base64')}`
  const request = create(JSON.stringify({ model: 'procedural-image', prompt: 'night', image }))
  await onEach(jobs, async (connection) => {
    if (await connection.send(request)) await connection.answer()
  })
  await over
}

/**
 * As many threads as libuv has, which also read all files. What each of them loads takes 30 MB.
 */
const fourDrawers = { settings: { drawers: 8 }, budgetMb: 150, forMs: 6000 } as const

/** Inputs and outputs that a job has to fetch or to decode. */
export const pictureAttacks = {
  '60 jobs with a picture of 39 million pixels each': {
    // Two threads that start, each of which holds a picture twice while it makes a smaller one of it: 234 MB at 3 bytes a pixel.
    budgetMb: 520,
    // Rendering takes a while. The picture is a data URI of 150 kB and is stored once.
    forMs: 3000,
    async run({ onEach, over, isOver }) {
      const image = await blackPng()
      const request = create(JSON.stringify({ model: 'procedural-image', prompt: 'night', image }))
      await onEach(60, async (connection) => {
        if (!isOver() && (await connection.send(request))) await connection.answer()
      })
      await over
    },
  },

  '4 JPEGs of 882 scans': {
    ...fourDrawers,
    run: (target) => jobsWith(target, 4, 'jpeg', jpegOfScans(882, 6300, 6300)),
  },

  '4 PNGs with 500 MB of texts in 500 kB': {
    ...fourDrawers,
    // And the 16 MiB of texts in each that are inflated to count them, in pieces and as a whole.
    budgetMb: 300,
    run: (target) => jobsWith(target, 4, 'png', pngWith(repeated(10, pngText(50_000_000)))),
  },

  '4 WebPs of 40,000 frames': {
    ...fourDrawers,
    // And four bodies of 2.5 MB: as bytes, texts and values, in the store and on their way to a thread.
    budgetMb: 300,
    run: (target) => jobsWith(target, 4, 'webp', webpOfFrames(40_000)),
  },

  '300 outputs at names that are never found': {
    // A job, its timers and a question for each.
    budgetMb: 30,
    forMs: 1500,
    async run({ onEach, over, isOver }) {
      await onEach(20, async (connection, line) => {
        for (let sent = 0; sent < 15 && !isOver(); sent++) {
          const output = `https://dead-${line}-${sent}.test/film.mp4`
          const request = create(JSON.stringify({ model: 'anything', prompt: 'a kite', output }))
          if (!(await connection.send(request)) || (await connection.answer()) === '') return
        }
      })
      await over
    },
  },
} satisfies Record<string, Attack>

import sharp from 'sharp'
import type { Attack } from '../attack.ts'
import { create } from '../connections.ts'

/** A PNG of 39 million pixels in 114 kB. */
async function blackPng(): Promise<string> {
  const create = { width: 6500, height: 6000, channels: 3, background: 'black' } as const
  const bytes = await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}

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

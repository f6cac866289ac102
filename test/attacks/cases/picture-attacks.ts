import { deflateSync, crc32 } from 'node:zlib'
import type { Attack } from '../attack.ts'
import { create } from '../connections.ts'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A black PNG, which is tiny for its pixels: PNG specification, third edition. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(height * (1 + 3 * width)), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const withPicture = (image: string) =>
  create(JSON.stringify({ model: 'procedural-image', prompt: 'night', image }))

/** Inputs and outputs that a job has to fetch or to decode. */
export const pictureAttacks = {
  '60 jobs with a picture of 39 million pixels each': {
    // Two threads that start, each of which holds a picture twice while it makes a smaller one of it: 234 MB at 3 bytes a pixel.
    budgetMb: 520,
    // Rendering takes a while. The picture is a data URI of 50 kB and is stored once.
    forMs: 3000,
    async run({ onEach, over, isOver }) {
      const request = withPicture(`data:image/png;base64,${blackPng(6500, 6000).toString('base64')}`)
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
          const output_url = `https://dead-${line}-${sent}.test/film.mp4`
          const request = create(JSON.stringify({ model: 'anything', prompt: 'a kite', output_url }))
          if (!(await connection.send(request)) || (await connection.answer()) === '') return
        }
      })
      await over
    },
  },
} satisfies Record<string, Attack>

import type { Attack, Target } from '../attack.ts'
import { head, keyOf } from '../connections.ts'

const formats = ['webp', 'jpeg', 'png', 'avif']
const body = JSON.stringify({ model: 'anything', prompt: 'a kite', output: 'black' })
const createBlack = (key: string) =>
  head('POST', '/v1/generate?wait=true', { 'content-length': body.length }, key) + body

/** Makes a job whose output is a picture of 39 million pixels in 114 kB. @returns its id */
async function blackPicture({ open }: Target, key: string): Promise<string | undefined> {
  const connection = await open()
  await connection?.send(createBlack(key))
  const answer = (await connection?.answer()) ?? ''
  connection?.close()
  return /location: \S*\/v1\/jobs\/([\w-]+)/i.exec(answer)?.[1]
}

/** Asks on a connection for variants, one after the other. */
async function askFor(
  { isOver, over }: Target,
  connection: Parameters<Parameters<Target['onEach']>[1]>[0],
  paths: readonly string[],
  key: string,
): Promise<void> {
  for (const path of paths) {
    if (isOver() || !(await connection.send(head('GET', path, {}, key)))) return
    if ((await Promise.race([connection.answer(), over])) === '') return
  }
}

/**
 * One picture at a time is converted. An AVIF of 2048 x 1890 pixels took 155 MB, and with all that any load takes these attacks
 * took 255 MB at most (2026-11-27).
 */
const oneConversion = { budgetMb: 215, forMs: 2500 } as const

/** Attacks with requests for other sizes and formats of outputs. */
export const variantAttacks = {
  'a thousand widths of pictures of 39 million pixels': {
    ...oneConversion,
    async run(target) {
      const key = keyOf('attacker')
      const ids = await Promise.all(Array.from({ length: 10 }, () => blackPicture(target, key)))
      await target.onEach(100, (connection, line) =>
        askFor(
          target,
          connection,
          Array.from({ length: 100 }, (_, index) => {
            const width = 1 + ((line * 100 + index * 37) % 2048)
            return `/v1/files/${ids[index % ids.length]}?width=${width}&format=${formats[line % 4]}`
          }),
          key,
        ),
      )
      await target.over
    },
  },

  'a thousand owners who each want all formats of a picture of 39 million pixels': {
    ...oneConversion,
    settings: { moreKeys: 1000 },
    async run(target) {
      // Two hundred at a time. A thousand creates at the same moment would be an attack of their own.
      await target.onEach(200, async (connection, line) => {
        for (let turn = 0; turn < 5 && !target.isOver(); turn++) {
          const key = keyOf(`owner-${5 * line + turn}`)
          const id = await blackPicture(target, key)
          const paths = formats.map((format) => `/v1/files/${id}?format=${format}`)
          if (id !== undefined) await askFor(target, connection, paths, key)
        }
      })
      await target.over
    },
  },
} satisfies Record<string, Attack>

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { providerOrigin, temporaryFolder } from './mirror-world.ts'

const megabyte = 1_000_000
const beginningOfFilm = Buffer.from('\0\0\0\x1cftypisom', 'latin1')

/** Sends a film no faster than it is read. @returns its SHA-256 */
async function sendFilm(socket: Socket, megabytes: number): Promise<string> {
  const hash = createHash('sha256')
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: ${megabytes * megabyte}\r\n\r\n`,
  )
  for (let index = 0; index < megabytes; index++) {
    const chunk = Buffer.alloc(megabyte, index)
    if (index === 0) chunk.set(beginningOfFilm)
    hash.update(chunk)
    if (!socket.write(chunk)) await once(socket, 'drain')
  }
  return hash.digest('hex')
}

// Not on Deno 2.9: its node:tls reads on, however slow its reader is, and has the whole film in memory.
test.each(['node', 'bun'] as const)(
  'a copy of 500 MB raises memory by less than 64 MB, on %s',
  async (runtime) => {
    let sent: Promise<string> | undefined
    const origin = await providerOrigin((socket, head) => {
      sent = sendFilm(socket, head.startsWith('GET /large') ? 500 : 50)
    })
    const [binary, ...options] = runtimes[runtime]
    const { stdout } = await promisify(execFile)(
      binary,
      [
        ...options,
        join(import.meta.dirname, 'large-copy.ts'),
        await temporaryFolder(),
        origin.url('').slice(0, -1),
      ],
      { env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' }, timeout: 170_000, killSignal: 'SIGKILL' },
    )
    const printed = JSON.parse(stdout) as { raisedMB: number }
    expect(printed).toMatchObject({ size: 500 * megabyte, contentType: 'video/mp4', sha256: await sent })
    expect(printed.raisedMB).toBeLessThan(64)
  },
)

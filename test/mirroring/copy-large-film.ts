import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { providerOrigin } from './mirror-world.ts'

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

/** Has a process copy a film of this size from a link to disk. @returns by how many MB that has raised its memory */
export async function copyLargeFilm(runtime: Runtime, megabytes: number): Promise<number> {
  let sent: Promise<string> | undefined
  const origin = await providerOrigin((socket, head) => {
    sent = sendFilm(socket, head.startsWith('GET /large') ? megabytes : 50)
  })
  const script = new URL('large-copy.ts', import.meta.url)
  const args = [temporaryFolder(), origin.url('').slice(0, -1)]
  const printed = (await printedBy(runtime, script, { args, timeoutMs: 170_000 })) as { raisedMB: number }
  expect(printed).toMatchObject({
    size: megabytes * megabyte,
    contentType: 'video/mp4',
    sha256: await sent,
  })
  return printed.raisedMB
}

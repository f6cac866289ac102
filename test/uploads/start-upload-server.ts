import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Runtime } from '../processes/runtimes.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'

const authorization = 'Bearer alice-key-0123456789'

/** Starts `upload-server.ts`, which goes with the test. */
export async function startUploadServer(runtime: Runtime, folder: string) {
  const script = new URL('upload-server.ts', import.meta.url)
  const { process, origin, greeting } = await startServer(scriptCommand(runtime, script, folder))
  return {
    /** Ends the server with SIGKILL. */
    kill: () => process.kill(),
    /** The most memory that the server has had, in bytes. */
    maxRss: async () => Number(await (await fetch(`${origin}/rss`)).text()),
    /** Posts an upload or, as text, JSON. */
    post(path: string, body: Uint8Array<ArrayBuffer> | string) {
      const type = typeof body === 'string' ? 'application/json' : 'image/png'
      return fetch(origin + path, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body,
      })
    },
    /** Sends the head of an upload of this many bytes. */
    async beginUpload(bytes: number): Promise<Socket> {
      const socket = connect(greeting.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.write(
        `POST /v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`,
      )
      return socket
    },
  }
}

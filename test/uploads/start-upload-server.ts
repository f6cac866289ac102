import { type ClientRequest, request } from 'node:http'
import type { Runtime } from '../processes/runtimes.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'

const authorization = 'Bearer alice-key-0123456789'

/** Starts `upload-server.ts`, which goes with the test. */
export async function startUploadServer(runtime: Runtime, folder: string) {
  const script = new URL('upload-server.ts', import.meta.url)
  const { process, origin } = await startServer(scriptCommand(runtime, script, folder))
  return {
    /** Ends the server with SIGKILL. */
    kill: process.kill,
    /** The most memory that the server has had, in bytes. */
    maxRss: async () => Number(await (await fetch(`${origin}/rss`)).text()),
    /** Posts an upload or, as text, JSON. */
    post(path: string, body: Uint8Array<ArrayBuffer> | string) {
      const type = typeof body === 'string' ? 'application/json' : 'image/png'
      const headers = { authorization, 'content-type': type }
      return fetch(origin + path, { method: 'POST', headers, body })
    },
    /** An upload of this many bytes, which the caller writes. */
    beginUpload(bytes: number): ClientRequest {
      const headers = { authorization, 'content-length': bytes }
      return request(`${origin}/v1/uploads`, { method: 'POST', headers }).on('error', () => {})
    },
  }
}

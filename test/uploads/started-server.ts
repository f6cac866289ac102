import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Runtime, runtimes } from '../processes/runtimes.ts'

/** A server of `upload-server.ts` in a process of its own. */
export interface StartedServer {
  ask(method: string, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response>
  /** The most memory that the server has had, in bytes. */
  maxRss(): Promise<number>
  /** Sends the head of an upload of this many bytes. */
  beginUpload(bytes: number): Promise<Socket>
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>
}

export async function startServer(runtime: Runtime, folder: string): Promise<StartedServer> {
  const [binary, ...args] = runtimes[runtime]
  const script = fileURLToPath(new URL('upload-server.ts', import.meta.url))
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1' }
  const server = spawn(binary, [...args, script, folder], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const exited = once(server, 'exit')
  const kill = async () => {
    server.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const [port] = (await once(createInterface(server.stdout), 'line')) as [string]
  const authorization = 'Bearer alice-key-0123456789'
  return {
    ask(method, path, body) {
      const headers = {
        authorization,
        'content-type': typeof body === 'string' ? 'application/json' : 'image/png',
      }
      return fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
    },
    async maxRss() {
      return Number(await (await fetch(`http://127.0.0.1:${port}/rss`)).text())
    },
    async beginUpload(bytes) {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.write(
        `POST /v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n`,
      )
      return socket
    },
    kill,
  }
}

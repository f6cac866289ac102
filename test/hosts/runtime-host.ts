import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runtimes } from '../processes/runtimes.ts'
import type { Host } from './host.ts'

/** Runs a script of `servers/` in a process of its own, which prints `{ port, keys }` when it listens. */
export function runtimeHost(name: string, runtime: 'bun' | 'deno', script: string, mountPath = ''): Host {
  return {
    name,
    async start() {
      const [binary, ...args] = runtimes[runtime]
      const path = fileURLToPath(new URL(`servers/${script}`, import.meta.url))
      const server = spawn(binary, [...args, path, mountPath], { stdio: ['ignore', 'pipe', 'pipe'] })
      let complaints = ''
      server.stderr.on('data', (chunk) => (complaints += String(chunk)))
      const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
      const line = await Promise.race([
        new Promise<string>((resolve) => createInterface(server.stdout).once('line', resolve)),
        exited.then(() => Promise.reject(new Error(`${runtime} ended before it listened: ${complaints}`))),
      ])
      const { port, keys } = JSON.parse(line) as { port: number; keys: { alice: string; bob: string } }
      return {
        subject: { baseUrl: `http://127.0.0.1:${port}${mountPath}`, keys },
        async stop() {
          server.kill('SIGKILL')
          await exited
        },
      }
    },
  }
}

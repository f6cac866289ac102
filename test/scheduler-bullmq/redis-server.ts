import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Redis, type RedisOptions } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'

/** A Redis of its own, in memory, on a port of its own. */
export interface RedisServer {
  readonly port: number
  /** A client that is closed with the test. */
  client(options?: RedisOptions): Redis
  /** Sends the server a signal, and waits for its end if the signal ends it. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Starts the server again on its port, empty. */
  start(): Promise<void>
  /** Ends the server. */
  stop(): Promise<void>
}

/** Starts Debian's `redis-server`. The caller stops it when its tests are over. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const launch = () => spawn('redis-server', args, { stdio: 'ignore' })
  let server = launch()
  await answering(port)
  return {
    port,
    client(options = {}) {
      const client = new Redis({ host: '127.0.0.1', port, ...options })
      client.on('error', () => {})
      onTestFinished(() => client.disconnect())
      return client
    },
    async signal(name) {
      const exit = name === 'SIGKILL' ? once(server, 'exit') : undefined
      server.kill(name)
      await exit
    },
    async start() {
      server = launch()
      await answering(port)
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const exit = once(server, 'exit')
      server.kill('SIGKILL')
      await exit
    },
  }
}

async function answering(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

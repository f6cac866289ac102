import type { AddressInfo } from 'node:net'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { HttpSubject } from '@genmount/testing/http'

/** A way to run the service, ready to be put through the suite. */
export interface Host {
  readonly name: string
  start(): Promise<RunningHost>
}

export interface RunningHost {
  readonly subject: HttpSubject
  stop(): Promise<void>
}

/** What the app around the service answers to paths that the service leaves to it. */
export const foreignBody = 'this is the app'

/** Serves on a free port of the loopback interface. */
export async function listen(listener: RequestListener): Promise<{ origin: string; stop(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: originOf(server), stop: () => stopped(server) }
}

export function originOf(server: { address(): AddressInfo | string | null }): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function stopped(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

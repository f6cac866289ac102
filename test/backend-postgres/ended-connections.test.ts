import { connect, createServer } from 'node:net'
import { expect, type onTestFinished as OnTestFinished, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn, terminateOthers } from './two-nodes.ts'

// https://www.postgresql.org/docs/18/protocol-message-formats.html: ReadyForQuery, idle
const readyForQuery = Buffer.from('Z\0\0\0\x05I')
/** ErrorResponse, as a server sends it when an operator ends the connection. */
const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'
const ending = Buffer.concat([Buffer.from('E'), lengthOf(fields), Buffer.from(fields)])

function lengthOf(text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(text))
  return length
}

/** A proxy that can end each connection in the very packet that establishes it. */
async function startEndingProxy(target: number, onTestFinished: typeof OnTestFinished) {
  const state = { isEnding: false, ended: 0 }
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    near.pipe(far)
    far.on('data', (chunk: Buffer) => {
      if (!state.isEnding || !chunk.subarray(-readyForQuery.length).equals(readyForQuery))
        return void near.write(chunk)
      state.ended++
      near.end(Buffer.concat([chunk, ending]))
      far.destroy()
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return Object.assign(state, { port: (proxy.address() as { port: number }).port })
}

test.concurrent.for(['node', 'deno', 'bun'] as const)(
  'a process on %s survives a Postgres server that ends each new connection, and takes its lock when the server is well again',
  async (runtime, { onTestFinished }) => {
    const url = new URL(await databaseOfFile())
    const node = nodeOn(url.href, undefined, {}, onTestFinished)
    await node.backend.ready?.()
    // A node that does not use the database takes no new lock.
    const use = setInterval(() => void node.jobs.due(Date.now(), 1).catch(() => {}), 500)
    onTestFinished(() => clearInterval(use))
    const proxy = await startEndingProxy(Number(url.port), onTestFinished)
    url.port = String(proxy.port)
    const script = new URL('processes/open-backend.ts', import.meta.url)
    const other = launch(scriptCommand(runtime, script, url.href, node.schema))
    onTestFinished(async () => void (await other.kill()))
    expect(await other.line()).toBe('ready')
    await until(async () => (await locksOf(node.pool, node.schema)) === 2)

    proxy.isEnding = true
    await terminateOthers(node.pool)
    await until(() => proxy.ended >= 5 || other.hasEnded)
    expect(other.hasEnded).toBe(false)
    proxy.isEnding = false

    await until(async () => (await locksOf(node.pool, node.schema)) === 2)
  },
)

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisSignals } from '@genmount/scheduler-bullmq'
import { Cluster } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

/** Starts a Redis Cluster of three servers. @returns their ports */
async function startCluster(): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-redis-'))
  const ports: number[] = []
  const asked = (port: number, ...words: string[]) =>
    execFileSync('redis-cli', ['-p', String(port), ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const servers: ReturnType<typeof spawn>[] = []
  onTestFinished(() => {
    for (const server of servers) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  for (let count = 0; count < 3; count++) {
    const [port, bus] = [await freePort(), await freePort()]
    const own = ['--port', port, '--cluster-port', bus, '--cluster-config-file', `nodes-${port}.conf`]
    const rest = ['--cluster-enabled', 'yes', '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    servers.push(spawn('redis-server', [...own, ...rest].map(String), { stdio: 'ignore' }))
    ports.push(port)
  }
  const says = (port: number, what: string, ...words: string[]) => {
    try {
      return asked(port, ...words).includes(what)
    } catch {
      return false
    }
  }
  for (const port of ports) await until(() => says(port, 'PONG', 'ping'))
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], {
    stdio: 'ignore',
    timeout: 60_000,
  })
  for (const port of ports) await until(() => says(port, 'cluster_state:ok', 'cluster', 'info'))
  return ports
}

test('signals reach the nodes whose clients are at another server of a Redis Cluster', async () => {
  const ports = await startCluster()
  const signalsAt = (port: number) => {
    const client = new Cluster([{ host: '127.0.0.1', port }])
    client.on('error', () => {})
    const signals = redisSignals({ client })
    onTestFinished(async () => {
      await signals.close()
      client.disconnect()
    })
    return signals
  }
  const nodes = ports.map(signalsAt)
  for (const [index, node] of nodes.entries()) {
    let isInPlace = false
    let woken = 0
    node.subscribe('any', () => (isInPlace = true))
    await until(() => isInPlace)
    node.subscribe('job-1', () => woken++)
    nodes[(index + 1) % nodes.length]?.publish('job-1')
    await until(() => woken > 0)
    expect(woken).toBe(1)
  }
})

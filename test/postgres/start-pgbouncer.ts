import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { launch } from '../processes/launch.ts'
import { programPath } from '../suite/system-needs.ts'

/**
 * Debian's pgbouncer in transaction mode before the database of the URL, which ends with the test.
 * @returns the URL through it
 */
export async function startPgbouncer(url: string, onFinished = onTestFinished): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'genmount-pgbouncer-'))
  const listenPort = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  )
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  const pgbouncer = launch([programPath('pgbouncer'), ...(isRoot ? ['-u', 'postgres'] : []), config])
  onFinished(async () => {
    await pgbouncer.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await pgbouncer.heard(/process up/)
  return `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`
}

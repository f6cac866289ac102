import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { programServer } from '../processes/program-server.ts'
import { programPath } from '../suite/system-needs.ts'

/**
 * Debian's pgbouncer in transaction mode before the database of the URL, which ends with the test.
 * @returns the URL through it
 */
export async function startPgbouncer(url: string, onFinished = onTestFinished): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const isRoot = process.getuid?.() === 0
  const pgbouncer = await programServer((listenPort, folder) => {
    const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
    writeFileSync(users, `"${username}" "${password}"\n`)
    writeFileSync(
      config,
      `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
    )
    return [programPath('pgbouncer'), ...(isRoot ? ['-u', 'postgres'] : []), config]
  }, /process up/)
  onFinished(pgbouncer.stop)
  return `postgres://${username}:${password}@127.0.0.1:${pgbouncer.port}${pathname}`
}

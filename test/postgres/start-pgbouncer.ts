import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { programPath } from '../suite/system-needs.ts'

/** Debian's pgbouncer in transaction mode before the database of the URL. @returns the URL through it */
export async function startPgbouncer(url: string): Promise<string> {
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
  const child = spawn(programPath('pgbouncer'), [...(isRoot ? ['-u', 'postgres'] : []), config])
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  for (let wait = 0; !(await accepts(listenPort)); wait++) {
    if (wait > 200 || child.exitCode !== null) throw new Error(`pgbouncer has not started: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}

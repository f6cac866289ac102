import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../cluster/free-ports.ts'
import { localDatabase } from '../cluster/local-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'genmount-vercel-'))
// In a container, the user of Postgres is another one than the user of this process, and must be able to enter the folder.
chmodSync(folder, 0o755)
const [databasePort = 0] = await freePorts(1)
const database = await localDatabase(join(folder, 'postgres'), databasePort)
const port = Number(process.env['PORT'] ?? 3000)
const secret = 'the-secret-of-the-local-cron'

const nextBinary = createRequire(import.meta.url).resolve('next/dist/bin/next')
const server = spawn(process.execPath, [nextBinary, 'dev', '--hostname=127.0.0.1', `--port=${port}`], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
  env: {
    ...process.env,
    DATABASE_URL: database.url,
    FILES_FOLDER: join(folder, 'files'),
    ALICE_KEY: 'key-of-alice',
    CRON_SECRET: secret,
    NEXT_TELEMETRY_DISABLED: '1',
  },
})

/** Calls the cron as Vercel does, which nothing does on this machine. */
async function callCron(): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`http://127.0.0.1:${port}/api/cron`, { headers })
  console.log('The cron was called:', await response.text())
}
const minute = setInterval(() => void callCron().catch(console.error), 60_000)

process.on('SIGINT', () => server.kill('SIGINT'))
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', async (code) => {
  clearInterval(minute)
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 0
})

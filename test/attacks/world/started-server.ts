import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Runtime, runtimes } from '../../processes/runtimes.ts'
import type { AttackedSettings } from '../server/attacked-service.ts'
import type { Figures } from '../server/own-figures.ts'

export interface StartedServer {
  readonly port: number
  /** Asks the process for its figures. A busy process may take a while to answer. */
  figures(): Promise<Figures>
  /** Starts the measuring of peaks and delays again. @returns the figures up to now */
  reset(): Promise<Figures>
  /** Ends the process with SIGKILL and removes its files. */
  kill(): Promise<void>
}

const script = fileURLToPath(new URL('../server/attacked-server.ts', import.meta.url))

/** Starts the attacked server in a new process with a new folder. */
export async function startServer(
  runtime: Runtime,
  settings: Omit<AttackedSettings, 'folder'> = {},
): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-attacks-'))
  const [binary, ...args] = runtimes[runtime]
  const child = spawn(binary, [...args, script, JSON.stringify({ ...settings, folder })], {
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let complaints = ''
  child.stderr.on('data', (chunk) => (complaints = (complaints + String(chunk)).slice(-2000)))
  // A process that has died is noticed by its missing answer, so a failed write to it is ignored.
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function nextLine<Line>(): Promise<Line> {
    const { value, done } = await lines.next()
    if (done) throw new Error(`The server on ${runtime} has died: ${complaints}`)
    return JSON.parse(value) as Line
  }

  function ask(command: string): Promise<Figures> {
    child.stdin.write(`${command}\n`)
    return nextLine<Figures>()
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const { port } = await nextLine<{ port: number }>()
    return { port, figures: () => ask('figures'), reset: () => ask('reset'), kill }
  } catch (error) {
    await kill()
    throw error
  }
}

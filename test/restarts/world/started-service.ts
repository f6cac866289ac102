import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stopped } from '../../crashes/campaign/started-server.ts'
import { runtimes } from '../../processes/runtimes.ts'
import type { ServiceSettings } from '../service/service-settings.ts'

/** A service in a process of its own. */
export interface StartedService {
  /** The address where the service listens. Rejects when the process ends before it listens. */
  readonly address: Promise<string>
  /** Resolves when the process has ended, with its exit code or the signal that killed it. */
  readonly ended: Promise<number | string>
  /** Resolves when the process has printed this line. Rejects when the process ends without it. */
  heard(line: string): Promise<void>
  tell(command: string): void
  /** Stops the process with SIGSTOP. Resolves when it stands still. */
  freeze(): Promise<void>
  /** Lets the process run again. */
  thaw(): void
  kill(): Promise<unknown>
}

const program = join(import.meta.dirname, '../service/server.ts')

export function startService(settings: ServiceSettings): StartedService {
  const [binary, ...flags] = runtimes.node
  const child = spawn(binary, [...flags, program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  let complaints = ''
  child.stdout.on('data', (text) => (said += text))
  child.stderr.on('data', (text) => (complaints += text))
  // The process may have ended before a command is written to it.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)

  async function match(pattern: RegExp): Promise<string> {
    for (;;) {
      const [, found] = pattern.exec(said) ?? []
      if (found !== undefined) return found
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It ended and never said ${pattern}:\n${said}${complaints}`)
      await Promise.race([once(child.stdout, 'data'), ended])
    }
  }

  const address = match(/^listens on (\S+)\n/m)
  // Code that needs the address awaits it and gets the error. For others it is no error that a service is killed before it
  // listens.
  address.catch(() => {})
  return {
    address,
    ended,
    heard: async (line) => void (await match(new RegExp(`^(${line})\n`, 'm'))),
    tell: (command) => void child.stdin.write(`${command}\n`),
    freeze: () => stopped(child),
    thaw: () => void child.kill('SIGCONT'),
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

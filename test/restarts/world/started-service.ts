import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stopped } from '../../crashes/campaign/started-server.ts'
import { runtimes } from '../../runtimes.ts'
import type { ServiceSettings } from '../service/service-settings.ts'

/** A service in a process of its own. */
export interface StartedService {
  /** Where it listens. @throws Error when it ends before it does */
  readonly address: Promise<string>
  /** Resolves when the process has ended, with its exit code or the signal that killed it. */
  readonly ended: Promise<number | string>
  /** Resolves when it has said this line. @throws Error when it ends without */
  heard(line: string): Promise<void>
  tell(command: string): void
  /** Stops it with SIGSTOP. Resolves when it stands still. */
  freeze(): Promise<void>
  /** Lets it go on. */
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
  // It may have ended when it is told something.
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
  // Whoever needs the address awaits it; a service that is killed before it listens is no fault otherwise.
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

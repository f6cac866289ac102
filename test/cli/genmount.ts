import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadStream, WriteStream } from 'node:tty'
import { runSession } from '../../packages/cli/src/program/run.ts'
import { printer } from '../../packages/cli/src/terminal/printer.ts'
import type { Launched, LaunchOptions } from '../processes/launch.ts'
import { type Ran, runProgram, type RunOptions } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { bundledProgram } from '../suite/bundled-programs.ts'

/** The command that runs the program. */
export const command = async (...args: readonly string[]) =>
  [...runtimes.node, await bundledProgram('packages/cli/src/bin.ts'), ...args] as const

/** Runs the program to its end, with pipes around it. */
export const genmount = async (args: readonly string[], options?: RunOptions): Promise<Ran> =>
  runProgram(await command(...args), options)

/**
 * Runs the program in this process, for a tenth of the CPU time. It finds nothing on standard input and writes into pipes. For
 * what the program reads and prints, but not for the files that it writes, which go to its working directory.
 */
export async function genmountHere(args: readonly string[], { env = {} }: Pick<RunOptions, 'env'> = {}) {
  const pipe = () => {
    const stream = new PassThrough()
    return { printer: printer(stream as unknown as WriteStream), written: text(stream), stream }
  }
  const [stdout, stderr, stdin] = [pipe(), pipe(), Readable.from([]) as unknown as ReadStream]
  const { signal } = new AbortController()
  const session = { env, stdout: stdout.printer, stderr: stderr.printer, stdin, signal }
  const exit = await runSession(session, ['node', 'genmount', ...args])
  for (const { stream } of [stdout, stderr]) stream.end()
  return { exit, stdout: await stdout.written, stderr: await stderr.written }
}

/** Starts the program, which goes on by itself. */
export const startGenmount = async (args: readonly string[], options?: LaunchOptions): Promise<Launched> =>
  startProcess(await command(...args), options)

/** Starts `genmount serve` on a free port. @returns the process and its address, once it listens */
export async function startServe(args: readonly string[], options: LaunchOptions) {
  const server = await startGenmount(['serve', ...args], options)
  const [, url = ''] = await server.heard(/listens on (\S+)\n/)
  return { server, url }
}

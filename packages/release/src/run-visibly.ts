import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Command = readonly [program: string, ...args: string[]]

/**
 * Runs a tool to its end in the current folder, with all variables of this process and its output shown.
 * @param stdout `pipe` returns standard output instead of showing it
 * @param stop interrupts the tool when it aborts, as Ctrl-C does
 */
export async function runVisibly(
  [program, ...args]: Command,
  stdout: 'inherit' | 'pipe' = 'inherit',
  stop?: AbortSignal,
): Promise<{ readonly exit: number | NodeJS.Signals; readonly stdout: string }> {
  const child = spawn(program, args, { stdio: ['ignore', stdout, 'inherit'] })
  stop?.addEventListener('abort', () => child.kill('SIGINT'))
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code, signal] = await once(child, 'close')
  return { exit: code ?? signal, stdout: Buffer.concat(chunks).toString() }
}

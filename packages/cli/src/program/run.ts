import { CommanderError } from 'commander'
import { createProgram } from './create-program.ts'
import { exitCodes } from './exit-codes.ts'
import { reportError } from './report-error.ts'
import type { Session } from './session.ts'
import { printer } from '../terminal/printer.ts'
import { UsageError } from './usage-error.ts'

/** The models that the shell offers. Empty if the program was not called for a completion. */
async function completedModels(session: Session, argv: readonly string[]): Promise<readonly string[]> {
  const [, , command, dashes, ...words] = argv
  if (command !== 'complete' || dashes !== '--') return []
  return (await import('../completion/model-ids.ts')).modelIds(session, words)
}

const keyOption = /^--(?:api-?)?key(?:=|$)/i

/** Runs the program once. Sets the exit code of the process, and lets the process end by itself. */
export async function run(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController()
  const { env, stdout, stderr, stdin } = process
  const session: Session = {
    env,
    stdout: printer(stdout),
    stderr: printer(stderr),
    stdin,
    signal: interrupt.signal,
  }
  // When the reader of a pipe exits early, as "head" does, this program ends like other programs do.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : 1))
  const onStart = () => process.once('SIGINT', () => interrupt.abort())
  process.exitCode = await runSession(session, argv, onStart)
}

/**
 * Runs the program in a session.
 * @param onStart called before a command that Ctrl-C ends through `session.signal`
 * @returns the exit code
 */
export async function runSession(
  session: Session,
  argv: readonly string[],
  onStart: () => void = () => {},
): Promise<number> {
  try {
    if (argv.some((argument) => keyOption.test(argument)))
      throw new UsageError(
        'A key is not taken from the command line, where everybody on this machine can see it in the list of processes. Set the variable GENMOUNT_API_KEY to the key, or name the file that has it with --key-file.',
      )
    await createProgram(session, onStart, await completedModels(session, argv)).parseAsync(argv)
    return exitCodes.done
  } catch (error) {
    // Commander has printed what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    return reportError(error, session)
  }
}

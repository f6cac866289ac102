import { join } from 'node:path'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'

const compiler = join(repo, 'node_modules/@typescript/native/bin/tsc')

/** Checks the project of a folder with a `tsconfig.json`. @returns what the compiler prints: the errors, or nothing */
export async function typeErrors(folder: string): Promise<string> {
  // More than one checker would check much twice.
  const { exit, stdout, stderr } = await runProgram([
    process.execPath,
    compiler,
    '--checkers',
    '1',
    '-p',
    folder,
  ])
  return exit === 0 ? stdout : `${stdout}${stderr} (exit ${exit})`
}

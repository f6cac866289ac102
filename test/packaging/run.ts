import { spawnSync } from 'node:child_process'

/** Runs a program to its end. @returns its standard output @throws Error with all its output if its exit code is not 0 */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}

/** Under `npm test`, npm names its own program here. Otherwise the npm on the PATH is used. */
const npmProgram = process.env['npm_execpath']

function npmCommand(node: string): readonly [program: string, first: readonly string[]] {
  return npmProgram ? [node, [npmProgram]] : ['npm', []]
}

/** Runs npm in a folder. @param node the Node.js program that runs npm */
export function npm(folder: string, args: readonly string[], node = process.execPath): string {
  const [program, first] = npmCommand(node)
  return run(program, [...first, ...args, '--no-audit', '--no-fund'], folder)
}

/** Runs a program of an installed package as npx does, without network access. */
export function npx(folder: string, args: readonly string[]): string {
  const [program, first] = npmCommand(process.execPath)
  return run(program, [...first, 'exec', '--offline', '--', ...args], folder)
}

import process from 'node:process'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import type { Command } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'

/** Installs over a network may take this long. */
const timeoutMs = 300_000

/** All variables of the test runner: npm and the tools of projects read their settings from there. */
const env = process.env as Record<string, string>

/** Runs a tool of a project to its end. @returns its standard output @throws Error with all its output if it fails */
export function run(folder: string, command: Command, more: Readonly<Record<string, string>> = {}) {
  return outputOf(command, { cwd: folder, env: { ...env, ...more }, timeoutMs })
}

/** Runs npm in a folder. @param node the Node.js program that runs npm */
export function npm(folder: string, args: readonly string[], node?: string): Promise<string> {
  return run(folder, [...npmCommand(node), ...args, '--no-audit', '--no-fund'])
}

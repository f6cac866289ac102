import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pinned } from '../http/pinned.ts'

/** A child process that answers questions one after the other. */
export interface Child {
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Starts Node on one core, with the highest limit of open files that the system allows. */
export async function startChild(
  script: URL,
  { core, nodeArgs = [] }: { readonly core: string; readonly nodeArgs?: readonly string[] },
  ...args: readonly string[]
): Promise<Child> {
  const flags = ['--expose-gc', '--max-old-space-size=8192', ...nodeArgs]
  const node = [process.execPath, ...flags, fileURLToPath(script), ...args]
  const [command, ...rest] = pinned(core, ['sh', '-c', 'ulimit -n $(ulimit -H -n); exec "$@"', 'sh', ...node])
  const child = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const broken = exited.then(() => {
    throw new Error(`${script.pathname} has ended.`)
  })
  broken.catch(() => {})

  async function answer(): Promise<unknown> {
    const [message] = await Promise.race([once(child, 'message'), broken])
    return message
  }

  await answer()
  return {
    async ask<Answer>(question: unknown) {
      const answered = answer()
      child.send(question as string)
      return (await answered) as Answer
    },
    async stop() {
      child.disconnect()
      await exited
    },
  }
}

/** The heap in use after garbage collection, in bytes. */
export async function settledHeap(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await sleep(100)
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}

/**
 * For the child process: it tells the parent that it is ready, answers its questions, and ends when the
 * parent ends.
 */
export function serveParent(answers: (question: never) => unknown): void {
  process.on('message', async (question) => process.send!((await answers(question as never)) ?? null))
  process.on('disconnect', () => process.exit())
  process.send!('ready')
}

import { launch } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { bundledProgram } from '../suite/bundled-programs.ts'
import type { LimitedSettings } from './processes/limited-service.ts'

export type LimitedProcess = Awaited<ReturnType<typeof startLimitedProcess>>

/** Starts a service in a process of its own. Each call resolves to the id of what it has made, or to the code of the refusal. */
export async function startLimitedProcess(settings: LimitedSettings) {
  const program = await bundledProgram('test/limits/processes/limited-service.ts')
  const { line, ask, kill } = launch([...runtimes.node, program, JSON.stringify(settings)])
  await line()
  return {
    /** Creates `count` jobs at the same time. @returns the answers, with a space between them */
    create: (owner: string, delayMs = 0, count = 1, model = 'fake-image', keyId = 'key') =>
      ask(`create ${owner} ${delayMs} ${count} ${model} ${keyId}`),
    grant: (owner: string, usd: number) => ask(`grant ${owner} ${usd}`),
    deleteJob: (id: string, owner: string) => ask(`delete-job ${owner} ${id}`),
    upload: (owner: string, bytes: number, announced = 'announced') =>
      ask(`upload ${owner} ${bytes} ${announced}`),
    deleteUpload: (id: string, owner: string) => ask(`delete-upload ${owner} ${id}`),
    kill,
  }
}

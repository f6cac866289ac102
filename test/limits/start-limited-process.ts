import { launch } from '../processes/launch.ts'
import { scriptCommand } from '../processes/start-server.ts'
import type { LimitedSettings } from './processes/limited-service.ts'

/** A service in a process of its own. Each call resolves to the id of what it has made, or to the code of the refusal. */
export interface LimitedProcess {
  /** Creates `count` jobs at the same time. @returns the answers, with a space between them */
  create(owner: string, delayMs?: number, count?: number): Promise<string>
  deleteJob(id: string, owner: string): Promise<string>
  upload(owner: string, bytes: number, announced?: 'announced' | 'streamed'): Promise<string>
  deleteUpload(id: string, owner: string): Promise<string>
  kill(): Promise<unknown>
}

const script = new URL('processes/limited-service.ts', import.meta.url)

export async function startLimitedProcess(settings: LimitedSettings): Promise<LimitedProcess> {
  const { line, ask, kill } = launch(scriptCommand('node', script, JSON.stringify(settings)))
  await line()
  return {
    create: (owner, delayMs = 0, count = 1) => ask(`create ${owner} ${delayMs} ${count}`),
    deleteJob: (id, owner) => ask(`delete-job ${owner} ${id}`),
    upload: (owner, bytes, announced = 'announced') => ask(`upload ${owner} ${bytes} ${announced}`),
    deleteUpload: (id, owner) => ask(`delete-upload ${owner} ${id}`),
    kill,
  }
}

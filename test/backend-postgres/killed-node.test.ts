import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { quietLog } from '@genmount/testing'
import { killProcess, startProcess } from '../backend-sqlite/started-process.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { onePicture } from './one-picture.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

test.each([
  ['is killed', 'SIGKILL', 10_000],
  ['is frozen', 'SIGSTOP', 40_000],
] as const)(
  'a job in the middle of a step of a node that %s is completed by another node',
  async (_what, signal, withinMs) => {
    const { backend, schema } = nodeOn(url)
    const service = createGenerationService({
      providers: [onePicture(false)],
      backend,
      log: quietLog(),
    })
    onTestFinished(async () => void (await service.close()))
    await service.ready()
    service.start()
    const doomed = startProcess('../../backend-postgres/processes/poll-for-ever.ts', [url, schema])
    const id = await doomed.line()
    if (signal === 'SIGKILL') await killProcess(doomed)
    else doomed.child.kill(signal)
    await until(async () => (await service.get(id, 'alice')).phase === 'completed', withinMs)
    expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  },
)

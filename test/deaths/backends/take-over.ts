import { expect, onTestFinished } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { quietLog } from '@genmount/testing'
import { nodeOn } from '../../backend-postgres/two-nodes.ts'
import { databaseOfFile } from '../../postgres/temporary-database.ts'
import type { Launched } from '../../processes/launch.ts'
import { startProcess } from '../../processes/start-process.ts'
import { scriptCommand } from '../../processes/start-server.ts'
import { until } from '../../until.ts'
import { onePicture } from './one-picture.ts'

const script = new URL('processes/poll-for-ever.ts', import.meta.url)

/** Puts an end to a node in the middle of a step, and checks that another node completes the job. */
export async function checkTakeOver(
  stop: (node: Launched) => Promise<unknown>,
  withinMs: number,
): Promise<void> {
  const url = await databaseOfFile()
  const { backend, schema } = nodeOn(url)
  const service = createGenerationService({ providers: [onePicture(false)], backend, log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  await service.ready()
  service.start()
  const doomed = startProcess(scriptCommand('node', script, url, schema))
  const id = await doomed.line()
  await stop(doomed)
  await until(async () => (await service.get(id, 'alice')).phase === 'completed', withinMs)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
}

import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { startGenmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test('genmount generate names its job and how to get it when its connection is lost in the middle of the job', async () => {
  const { env, stop } = await startServer()
  const picture = ['-m', 'procedural-image', '-p', 'a', '-f', 'simulate_latency_ms=60000']
  const run = await startGenmount(['generate', ...picture], { env, cwd: temporaryFolder() })
  const [, id] = await run.heard(/(gen_\w+) processing/)
  await stop()
  expect(await run.ended).toBe(3)
  expect(run.output).toContain(`The job ${id} goes on. Get it with: genmount get ${id} --wait -o FILE`)
})

import process from 'node:process'
import { createGenerationService } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'

/**
 * A script with nothing that keeps its process alive but the job that it waits for. The runtime does not wait for `main`
 * by itself, as it may do for an `await` at the top level.
 */
async function main(): Promise<void> {
  const [how = '', waitBudgetMs = '55000'] = process.argv.slice(2)
  const log = { warn() {}, error() {} }
  const service = createGenerationService({
    providers: [fakeProvider()],
    log,
    waitBudgetMs: Number(waitBudgetMs),
  })
  const input = { prompt: 'a kite', delay_ms: how === 'finish' ? 1200 : 600_000 }
  const { job } = await service.create({ owner: 'alice', model: 'fake-video', input })

  const waits = Array.from({ length: 3 }, () => service.waitFor(job.id, 'alice'))
  if (how === 'close') await service.close()
  const phases = new Set((await Promise.all(waits)).map(({ phase }) => phase))
  console.log(JSON.stringify([...phases]))
}

void main()

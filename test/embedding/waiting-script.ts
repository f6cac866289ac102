import process from 'node:process'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'

/**
 * A script in which only the wait for its job keeps the process alive. `main` is called without a top-level `await`, because a
 * runtime may keep a process alive for that.
 */
async function main(): Promise<void> {
  const [how = '', waitBudgetMs = '55000'] = process.argv.slice(2)
  const service = createGenerationService({
    providers: [fakeProvider()],
    log: quietLog(),
    waitBudgetMs: Number(waitBudgetMs),
  })
  const input = { prompt: 'a kite', delay_ms: how === 'finish' ? 1200 : 600_000 }
  const { job } = await service.create({ owner: 'alice', model: 'fake-video', input })

  const waits = Array.from({ length: 3 }, () => service.waitFor(job.id, 'alice'))
  if (how === 'close') {
    while ((await service.waitFor(job.id, 'alice', { budgetMs: 10 })).phase !== 'running');
    await service.close()
  }
  const phases = new Set((await Promise.all(waits)).map(({ phase }) => phase))
  const handled = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit']
  const handlers = handled.filter((name) => process.listenerCount(name) > 0)
  console.log(JSON.stringify({ phases: [...phases], handlers }))
}

void main()

import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { d1Service } from './d1-service.ts'

/** What the types of Miniflare leave out. */
interface Scheduled {
  scheduled(): Promise<{ readonly outcome: string }>
}

test('a job in D1 whose worker is gone in the middle of its submit ends by the calls of a cron, once its claim has run out', async () => {
  const { worker, create, phaseOf } = await d1Service(false)
  onTestFinished(() => worker.dispose())
  const { id } = await create()
  const { scheduled } = (await worker.getWorker()) as unknown as Scheduled
  for (let call = 0; call < 200 && (await phaseOf(id)) !== 'completed'; call++) {
    expect(await scheduled()).toMatchObject({ outcome: 'ok' })
    await delay(500)
  }
  expect(await phaseOf(id)).toBe('completed')
})

import { expect, onTestFinished, test } from 'vitest'
import { hranaServer } from '../backend-libsql/hrana-server.ts'
import { bundledWorker } from './bundled-worker.ts'

test('libsqlBackend passes the suites over fetch in workerd', async () => {
  const server = await hranaServer()
  onTestFinished(() => server.stop())
  const worker = await bundledWorker('libsql-suites-worker', {
    // The suites compare with node:assert. The backend uses nothing of Node's.
    compatibilityFlags: ['nodejs_compat'],
    bindings: { ORIGIN: server.origin },
  })
  onTestFinished(() => worker.dispose())
  const answer = await worker.dispatchFetch('https://suites.example.com/')
  const { failing, count } = (await answer.json()) as { failing: string[]; count: number }
  expect(failing).toEqual([])
  expect(count).toBeGreaterThan(100)
})

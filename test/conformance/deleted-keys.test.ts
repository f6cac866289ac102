import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Backend, createGenerationService, memoryBackend } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

const backends: Record<string, () => Promise<() => Backend>> = {
  async memory() {
    const backend = memoryBackend()
    return () => backend
  },
  async SQLite() {
    const file = temporaryFile()
    return () => sqliteBackend({ file })
  },
  async Postgres() {
    const schema = newSchema()
    const pool = new pg.Pool({ connectionString: await databaseOfFile() })
    onTestFinished(() => pool.end())
    return () => postgresBackend({ pool, schema })
  },
}

test.each(Object.entries(backends))(
  'a create that comes after the delete of its job is refused in every process and not paid for again, and the ledger stays as it was: %s',
  async (name, open) => {
    const newBackend = await open()
    const provider = fakeProvider({
      behave: () => ({ outputs: [{ url: 'https://cdn.test/1.png' }], costUsd: 0.4 }),
    })
    const serviceOver = (backend: Backend) => {
      const service = createGenerationService({ providers: [provider], backend, log: quietLog() })
      onTestFinished(async () => void (await service.close()))
      return service
    }
    const backend = newBackend()
    const first = serviceOver(backend)
    const second = name === 'memory' ? first : serviceOver(newBackend())
    const request = {
      owner: 'alice',
      model: 'fake-image',
      input: { prompt: 'a fox in the snow '.repeat(2000) },
      idempotency: { key: randomUUID(), scope: 'generate' },
    }
    const { job } = await first.create(request)
    expect(await first.waitFor(job.id, 'alice')).toMatchObject({ phase: 'completed' })
    const all = { owner: 'alice', from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 }
    const before = await backend.jobs.costs?.(all)
    expect(before).toMatchObject([{ job: job.id, costUsd: 0.4, outputs: 1 }])

    await first.delete(job.id, 'alice')
    for (const service of [first, second]) {
      await expect(service.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
      await expect(service.create(request)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    }
    expect(provider.ledger).toHaveLength(1)
    expect(await backend.jobs.costs?.(all)).toEqual(before)
    expect(await backend.jobs.get(job.id)).toMatchObject({ shownInput: {}, outputs: [] })
  },
)

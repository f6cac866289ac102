import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'

test('a copy by VACUUM INTO while the service works has every job that was acknowledged before', async () => {
  const file = temporaryFile()
  const copy = join(file, '..', 'copy.db')
  const provider = fakeProvider({ behave: () => ({ delayMs: 0 }) })
  const serviceOn = (path: string) => {
    const options = { providers: [provider], backend: sqliteBackend({ file: path }), log: quietLog() }
    const service = createGenerationService(options)
    onTestFinished(async () => void (await service.close()))
    return service
  }
  const working = serviceOn(file)
  const create = async () =>
    (await working.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })).job.id
  const ids = await Promise.all(Array.from({ length: 30 }, create))
  for (const id of ids) await working.waitFor(id, 'alice')
  const more = Promise.all(Array.from({ length: 30 }, create))
  const database = new DatabaseSync(file)
  database.exec(`VACUUM INTO '${copy}'`)
  database.close()
  await more
  await working.close()

  const restored = serviceOn(copy)
  for (const id of ids) expect(await restored.get(id, 'alice')).toMatchObject({ phase: 'completed' })
})

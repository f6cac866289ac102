/**
 * Creates 500 jobs a second for three seconds in the file it is given, as a service does. Prints how many creates were
 * answered and refused, for how long the event loop was busy at p99.9, in milliseconds, and for which part of the time it
 * had to wait for a CPU. The threads that waited for the disk since the file was open, while it was written and closed, are
 * then in $SYNC_LOG, where slow-disk.c notes them.
 */
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { ownFigures } from '../../attacks/server/own-figures.ts'
import { loopCpu } from '../../attacks/server/own-proc.ts'

const [, , file = ''] = process.argv
const service = createGenerationService({
  providers: [fakeProvider()],
  backend: sqliteBackend({ file }),
  log: quietLog(),
})
await service.ready()
const input = { prompt: 'a fox '.repeat(200) }
// Several owners, because one may have only so many jobs under way.
const create = (number: number) =>
  service.create({ owner: `owner-${number % 10}`, model: 'fake-image', input })
await create(0)

writeFileSync(process.env['SYNC_LOG'] ?? '', '')
const { reset, now: figures, end } = ownFigures()
reset()
const creates: Promise<boolean>[] = []
const isAnswered = (number: number) =>
  create(number).then(
    () => true,
    () => false,
  )
const startedAt = performance.now()
const before = loopCpu()
while (creates.length < 1_500) {
  const isDue = () => creates.length < Math.min(1_500, (performance.now() - startedAt) / 2)
  // On a busy machine this process pauses for long. What it missed then is not created in one turn of the event loop.
  for (let turn = 0; turn < 10 && isDue(); turn++) creates.push(isAnswered(creates.length))
  await pause(5)
}
const outcomes = await Promise.all(creates)
const { p999 } = figures().loopDelayMs
const waitedPart = (loopCpu().waitedMs - before.waitedMs) / (performance.now() - startedAt)
end()
await service.close()
const answered = outcomes.filter(Boolean).length
console.log(JSON.stringify({ answered, refused: outcomes.length - answered, p999, waitedPart }))
process.exit()

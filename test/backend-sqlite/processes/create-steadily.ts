/**
 * Creates jobs, 500 a second, with a service on the given file. Prints how many creates were answered and
 * refused, the p99.9 of the times for which the event loop was busy, in milliseconds, and the part of the time for which the
 * event loop had to wait for a CPU. $SYNC_LOG then names each thread that has waited for the disk since the file was opened:
 * slow-disk.c writes it.
 */
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { ownFigures } from '../../attacks/server/own-figures.ts'
import { loopCpu } from '../../attacks/server/own-proc.ts'
import { patientClock } from '../../patient-clock.ts'

const [, , file = '', jobCount] = process.argv
const count = Number(jobCount)
const service = createGenerationService({
  providers: [fakeProvider()],
  backend: sqliteBackend({ file }),
  clock: patientClock(),
  log: quietLog(),
})
await service.ready()
const input = { prompt: 'a fox '.repeat(200) }
// There are several owners, because the number of an owner's running jobs is limited.
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
while (creates.length < count) {
  const isDue = () => creates.length < Math.min(count, (performance.now() - startedAt) / 2)
  // On a busy machine this process may stand still for long. It makes up for that time over several turns of the event loop.
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

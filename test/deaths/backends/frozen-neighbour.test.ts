import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSteadily, serveFile } from '../../backend-sqlite/served-file.ts'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import { startProcess } from '../../processes/start-process.ts'
import { scriptCommand } from '../../processes/start-server.ts'
import { checkBesideFrozenWriter, expectInTime } from './frozen-writer.ts'

test('creates are refused with 503 while a process that holds the write lock of the file is frozen, and are accepted right after', async () => {
  const file = temporaryFile()
  const { create } = await serveFile(file)
  expect(await create()).toMatchObject({ status: 202 })
  const neighbour = startProcess(
    scriptCommand('node', new URL('processes/hold-lock.ts', import.meta.url), file),
  )
  expect(await neighbour.line()).toBe('held')
  await neighbour.freeze()
  const end = createSteadily(create, 20)
  await pause(3_000)
  const answers = await end()
  expectInTime(answers)
  expect(answers.length).toBeGreaterThan(50)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))

  neighbour.child.stdin.end()
  neighbour.thaw()
  await expect.poll(async () => (await create()).status).toBe(202)
})

test('creates are stored while a process that writes to the same file all the time is frozen 20 times', () =>
  checkBesideFrozenWriter(20))

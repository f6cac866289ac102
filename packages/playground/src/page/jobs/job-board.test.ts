import type { AnyModels, Client, Job, JobPage, WaitOptions } from '@genmount/client'
import { expect, test, vi } from 'vitest'
import { createJobBoard } from './job-board.ts'

const jobOf = (id: string, status: Job['status'] = 'completed') =>
  ({ id, status, created_at: `2026-11-23T00:00:0${id}.000Z` }) as Job

/** A client whose lists are these pages, in this order. */
function listing(...pages: readonly (Promise<Partial<JobPage>> | Partial<JobPage>)[]) {
  const rest = [...pages]
  return { listPage: async () => rest.shift()! } as Partial<Client<AnyModels>> as Client<AnyModels>
}

test('the playground shows a job that has ended as ended, also after an older list has said that it runs', async () => {
  const list = Promise.withResolvers<Partial<JobPage>>()
  const lastAnswer = Promise.withResolvers<void>()
  const wait = async (_job: unknown, { onJob }: WaitOptions) => {
    onJob?.(jobOf('1'))
    await lastAnswer.promise
    return jobOf('1')
  }
  const watcher = { wait } as Partial<Client<AnyModels>> as Client<AnyModels>
  const running = { data: [jobOf('1', 'processing')], next_cursor: null }
  const board = createJobBoard(listing(running, list.promise), watcher)
  await board.read()
  const reading = board.read()
  await vi.waitFor(() => expect(board.state.jobs[0]?.status).toBe('completed'), 60_000)
  list.resolve(running)
  await reading
  lastAnswer.resolve()
  await vi.waitFor(() => expect(board.state.jobs[0]?.status).toBe('completed'), 60_000)
  board.close()
})

test('the playground does not offer older jobs again that it has shown when it reads the newest jobs again', async () => {
  const newest = { data: [jobOf('9'), jobOf('8')], next_cursor: 'older' }
  const others = { data: [jobOf('3')], next_cursor: 'between' }
  const client = listing(newest, { data: [jobOf('7')], next_cursor: null }, newest, others)
  const board = createJobBoard(client, client)
  await board.read()
  expect(board.state.nextCursor).toBe('older')
  await board.readMore()
  expect(board.state.nextCursor).toBeNull()
  await board.read()
  expect([board.state.nextCursor, board.state.jobs.length]).toEqual([null, 3])
  // Between these jobs and those that are known there may be others.
  await board.read()
  expect(board.state.nextCursor).toBe('between')
})

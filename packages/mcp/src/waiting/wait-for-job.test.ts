import {
  type Client,
  type GenerationProgress,
  GenmountError,
  type Job,
  type WaitOptions,
} from '@genmount/client'
import { expect, test } from 'vitest'
import type { ToolContext } from '../tools/tool-context.ts'
import { waitForJob } from './wait-for-job.ts'

const job = { id: 'gen_1', status: 'processing' } as Job
const settings = { maxCostUsd: undefined, maxPictureBytes: 0, waitMs: 10_000 }

test('the progress that a tool reports never decreases, as MCP requires, and its messages say how much is done', async () => {
  const news: Partial<GenerationProgress>[] = [0.2, 0.5, 0.4, 0.5, undefined, 0.9].map((progress) => ({
    progress,
  }))
  const client: Pick<Client<object>, 'wait'> = {
    async wait(_: unknown, { onProgress }: WaitOptions = {}) {
      for (const each of news) onProgress?.(each as GenerationProgress)
      return { ...job, status: 'completed' }
    },
  }
  const context = { client, settings } as unknown as ToolContext
  const values: number[] = []
  const messages: string[] = []
  const onProgress = (progress: number, message: string) => {
    values.push(progress)
    messages.push(message)
  }
  const waiting = { signal: new AbortController().signal, waitMs: 10_000, onProgress }
  expect((await waitForJob(context, job, waiting)).job.status).toBe('completed')
  expect(values).toEqual([0, 0.2, 0.5, 0.9])
  expect(messages.at(-1)).toBe('The job gen_1 is 90 % done.')
})

test('an error while a tool waits for a job names the job', async () => {
  const client: Pick<Client<object>, 'wait'> = {
    wait: () => Promise.reject(new GenmountError('network_error', 'The connection broke.')),
  }
  const context = { client, settings } as unknown as ToolContext
  const { signal } = new AbortController()
  const waiting = waitForJob(context, job, { signal, waitMs: 10_000, onProgress: undefined })
  await expect(waiting).rejects.toMatchObject({ code: 'network_error', job })
})

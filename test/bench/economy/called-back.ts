import { createGenerationService, memoryBackend } from '@genmount/core'
import { callbacks } from '@genmount/core/callbacks'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'

/**
 * Runs jobs with these run times at a vendor, one after the other.
 * @param isCalledBack whether the vendor sends a signed callback at the end of each job
 * @returns how many polls a job takes on average, with the poll that a callback causes
 */
export async function pollsPerJob(lengths: readonly number[], isCalledBack: boolean): Promise<number> {
  const clock = manualClock()
  let made = 0
  const provider = fakeProvider({
    clock,
    behave: () => ({ delayMs: lengths[made++] ?? 0 }),
    ...(isCalledBack && {
      sendCallback: (jobId, request) => service.receiveCallback(jobId, request),
    }),
  })
  const backend = memoryBackend({ clock })
  const service = createGenerationService({
    providers: [provider],
    backend,
    clock,
    log: quietLog(),
    plugins: [callbacks({ baseUrl: 'https://app.example' })],
  })
  const job = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  for (const lengthMs of lengths) {
    const { id } = (await service.create(job)).job
    // The store is read here, because a client who reads the job through the service may cause a poll.
    for (let n = 0; (await backend.jobs.get(id))?.phase !== 'completed'; n++) {
      // The callback URL takes a hash, for which no turn of the event loop waits.
      await new Promise((resolve) => setImmediate(resolve))
      if (n > 20) await clock.advance(lengthMs / 50)
    }
  }
  await service.close()
  return provider.polls.length / lengths.length
}

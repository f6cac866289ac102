import {
  type CallbackRequest,
  type GenerationServiceOptions,
  type Job,
  memoryFileStore,
  type Provider,
} from '@genmount/core'
import {
  type FakeProvider,
  fakeProvider,
  type FakeProviderOptions,
  type ManualClock,
  manualClock,
} from '@genmount/testing'
import { digestsDone } from './digests-done.ts'
import { type MortalProcess, type ProcessParts, type SharedStore, startProcess } from './mortal-process.ts'

export type OpenStore = () => SharedStore | Promise<SharedStore>

export interface WorldOptions {
  readonly vendor?: FakeProviderOptions
  /** What the provider has or does otherwise than the vendor's. */
  readonly provider?: Partial<Provider>
  readonly service?: Partial<GenerationServiceOptions>
}

/** Processes of one service on one store, their vendor, and the time that all of them live in. */
export interface EnduranceWorld {
  readonly clock: ManualClock
  readonly vendor: FakeProvider
  start(onStored?: ProcessParts['onStored']): MortalProcess
  /** Has the process create a job. @returns its id */
  create(process: MortalProcess): Promise<string>
  /** The job as the store has it. */
  job(id: string): Promise<Job>
  /** Lets time pass; whoever asks the store has an answer before time goes on. */
  pass(ms: number): Promise<void>
  /** Lets time pass until something is so, for `limitMs` at the most. @returns whether it came to be so */
  passUntil(isSo: () => boolean | Promise<boolean>, limitMs?: number): Promise<boolean>
  /**
   * Calls back about the job's task as vendors do: one try after the other, ten in a minute, until one has been answered
   * as taken. `target` is asked each time which process is reached.
   */
  callBack(
    id: string,
    target: () => MortalProcess,
  ): { readonly isTaken: boolean; readonly answers: readonly string[] }
  close(): Promise<void>
}

const stepMs = 100
const callBackTries = 10
const callBackEveryMs = 6000

export async function startWorld(
  openStore: OpenStore,
  { vendor: fake, provider, service }: WorldOptions = {},
): Promise<EnduranceWorld> {
  const clock = manualClock()
  const store = await openStore()
  const observer = store.connect(clock)
  const vendor = fakeProvider({ clock, ...fake })
  const files = memoryFileStore()
  const processes: MortalProcess[] = []
  const options = { ...(vendor.readCallback && { callbackBaseUrl: 'https://app.example' }), ...service }

  async function pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      // Callbacks' addresses hold digests.
      if (vendor.readCallback) await digestsDone()
      await clock.advance(Math.min(leftMs, stepMs))
      while (processes.some(({ pendingCalls }) => pendingCalls > 0))
        await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    clock,
    vendor,
    pass,

    start(onStored) {
      const parts = { clock, store, provider: { ...vendor, ...provider }, files, options }
      const process = startProcess({ ...parts, onStored })
      processes.push(process)
      return process
    },

    async create({ service }) {
      const { job } = await service.create({
        owner: 'alice',
        model: 'fake-image',
        input: { prompt: 'a fox' },
      })
      return job.id
    },

    async job(id) {
      const job = await observer.jobs.get(id)
      if (!job) throw new Error(`There is no job ${id}.`)
      return job
    },

    async passUntil(isSo, limitMs = 600_000) {
      for (let passedMs = 0; !(await isSo()); passedMs += stepMs) {
        if (passedMs >= limitMs) return false
        await pass(stepMs)
      }
      return true
    },

    callBack(id, target) {
      const answers: string[] = []
      const call = { isTaken: false, answers }
      function attempt(number: number): void {
        if (call.isTaken || number > callBackTries) return
        const request: CallbackRequest = vendor.callbackFor(id)
        target()
          .service.receiveCallback(id, request)
          .then(
            (isTaken) => {
              answers.push(isTaken ? 'taken' : 'not taken')
              call.isTaken ||= isTaken
            },
            () => answers.push('failed'),
          )
        clock.after(callBackEveryMs, () => attempt(number + 1))
      }
      attempt(1)
      return call
    },

    async close() {
      for (const process of processes) process.kill()
      await Promise.all(processes.map((process) => process.disconnect()))
      await observer.close()
      await store.close?.()
    },
  }
}

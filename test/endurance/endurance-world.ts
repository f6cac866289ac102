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
  /** Members of the provider that replace those of the fake provider. */
  readonly provider?: Partial<Provider>
  readonly service?: Partial<GenerationServiceOptions>
}

/** Processes of one service on one store, their vendor, and the clock of all of them. */
export interface EnduranceWorld {
  readonly clock: ManualClock
  readonly vendor: FakeProvider
  start(onStored?: ProcessParts['onStored']): MortalProcess
  /** Creates a job through this process. @returns its id */
  create(process: MortalProcess): Promise<string>
  /** Reads the job from the store. */
  job(id: string): Promise<Job>
  /** Lets time pass. Calls to the store are answered before the time goes on. */
  pass(ms: number): Promise<void>
  /** Lets time pass until the condition is true, at most `limitMs`. @returns whether it became true */
  passUntil(isSo: () => boolean | Promise<boolean>, limitMs?: number): Promise<boolean>
  /**
   * Sends the callback about the task of the job as vendors do: ten tries in a minute, one after the other,
   * until one was accepted. `target` says for each try which process it reaches.
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

  const asked = () => processes.flatMap((process) => [...process.asked])

  async function pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      // The address of a callback contains a digest.
      if (vendor.readCallback) await digestsDone()
      await clock.advance(Math.min(leftMs, stepMs))
      for (let calls = asked(); calls.length > 0; calls = asked()) {
        await Promise.allSettled(calls)
        // The answers may lead to further calls.
        await new Promise((resolve) => setImmediate(resolve))
      }
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
